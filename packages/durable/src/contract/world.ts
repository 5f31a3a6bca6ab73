/** The environment of the suite's runs: their operations, how long these take, and where the process is killed. */
import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { together } from '@x/react-agent/steps'
import type { DurableRun } from '../engine/engine.ts'
import { addNote, addRow, type Noted } from './log.ts'

/** Passed to a worker process as text. */
export interface WorkerSettings {
  readonly store: string
  /** Folder for the notes, and for markers of kills that have happened. */
  readonly folder: string
  /** Name of the function to execute. */
  readonly functionName: 'fiveSteps' | 'approval' | 'nested'
  /** Duration of a step's operation, in milliseconds. */
  readonly stepMs: number
  /** By run id: the point at which a process is killed. Only the first process that reaches the point is killed. */
  readonly killAt: Readonly<Record<string, string>>
  /** Id of a run that kills every process that executes it, at its first call. */
  readonly poisonous?: string
}

export const NOTES = 'notes.jsonl'
const FIRST_CALL = 'call-look'

export class ContractWorld {
  readonly #settings: WorkerSettings

  constructor(settings: WorkerSettings) {
    this.#settings = settings
  }

  /** Notes when each step executes and resolves, and adds a kill point before and after each of these events. */
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

  /** An operation that takes time and is safe to repeat. */
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

  /** Kills this process if the point is reached. No code runs after that. */
  #point(runId: string, point: string): void {
    const { killAt, poisonous } = this.#settings
    const isPoison = runId === poisonous && point === `executing ${FIRST_CALL}`
    if (isPoison || (killAt[runId] === point && this.#isFirst(`killed-${runId}`))) process.kill(process.pid, 'SIGKILL')
  }

  /** Returns true only for the first call with this name in any process. */
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
