/**
 * The environment of the suite's runs: the operations of their steps, the duration of these operations, and the points at which a
 * process is killed or suspended.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { together } from '@x/react-agent/steps'
import type { DurableRun } from '../engine/engine.ts'
import { addNote, addRow, type Noted } from './log.ts'

/** Settings of a worker process. Passed to it as JSON. */
export interface WorkerSettings {
  readonly store: string
  /** Folder for the notes, and for marker files of the kills and suspensions that have happened. */
  readonly folder: string
  /** Name of the function that runs execute. */
  readonly functionName: 'fiveSteps' | 'approval' | 'nested'
  /** How long the operation of a step takes, in milliseconds. */
  readonly stepMs: number
  /** The point at which a process is killed, by run id. Only the first process that reaches the point is killed. */
  readonly killAt: Readonly<Record<string, string>>
  /** Id of a run whose first call kills every process that executes it. */
  readonly poisonous?: string
  /** Id of a run whose first call suspends the first process that executes it. */
  readonly stalling?: string
}

export const NOTES = 'notes.jsonl'
const FIRST_CALL = 'call-look'

export class ContractWorld {
  readonly #settings: WorkerSettings

  constructor(settings: WorkerSettings) {
    this.#settings = settings
  }

  /** Wraps the steps of a run. Adds a note when a step is executed and when it resolves, with kill points before and after. */
  watched({ id, steps }: DurableRun): DurableRun['steps'] {
    return {
      run: async (key, execute) => {
        this.#point(id, `before ${key}`)
        const value = await steps.run(key, async () => {
          this.#note('executing', id, key)
          this.#point(id, `executing ${key}`)
          const given = await execute()
          this.#point(id, `executed ${key}`)
          return given
        })
        this.#note('given', id, key)
        this.#point(id, `given ${key}`)
        return value
      },
      wait: (name, about) => steps.wait(name, about),
      together: (keys, work) => together(steps, keys, work),
    }
  }

  /** Takes time and has no effect, so it is safe to repeat. */
  async think(): Promise<void> {
    await sleep(this.#settings.stepMs)
  }

  /** Writes a row unless a row with this key exists. */
  async write(runId: string, name: string, idempotencyKey: string): Promise<void> {
    await sleep(this.#settings.stepMs)
    addRow(this.#settings.folder, idempotencyKey, { runId, name })
    this.#point(runId, `written ${name}`)
  }

  #note(...note: [noted: Noted, runId: string, name: string]): void {
    addNote(join(this.#settings.folder, NOTES), ...note)
  }

  /** Kills this process if this is the run's kill point, or suspends it if the run is to stall here. */
  #point(runId: string, point: string): void {
    const { killAt, poisonous, stalling } = this.#settings
    const isFirstCall = point === `executing ${FIRST_CALL}`
    if (isFirstCall && runId === stalling && this.#isFirst(`stalled-${runId}`)) {
      this.#note('stalling', runId, FIRST_CALL)
      process.kill(process.pid, 'SIGSTOP')
    }
    if ((isFirstCall && runId === poisonous) || (killAt[runId] === point && this.#isFirst(`killed-${runId}`)))
      process.kill(process.pid, 'SIGKILL')
  }

  /** Returns true only for the first call with this name, across all processes. */
  #isFirst(name: string): boolean {
    const file = join(this.#settings.folder, createHash('sha256').update(name).digest('hex'))
    try {
      closeSync(openSync(file, 'wx'))
      return true
    } catch (cause) {
      if ((cause as { code?: unknown }).code === 'EEXIST') return false
      throw cause
    }
  }
}
