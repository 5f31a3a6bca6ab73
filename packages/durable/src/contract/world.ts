/** The world of a run of the suite: what it can do there, how long that takes, and where its process is killed. */
import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DurableRun } from '../engine/engine.ts'
import { addNote, addRow, type Noted } from './log.ts'

/** Given to a worker process as text. */
export interface WorkerSettings {
  readonly store: string
  /** Of the notes, and of what marks a kill that has happened. */
  readonly folder: string
  /** Which function it executes. */
  readonly functionName: 'fiveSteps' | 'approval'
  /** How long what a step does takes. */
  readonly stepMs: number
  /** By id of a run: the point at which the first process that comes there is killed. */
  readonly killAt: Readonly<Record<string, string>>
}

export const NOTES = 'notes.jsonl'

export class ContractWorld {
  readonly #settings: WorkerSettings

  constructor(settings: WorkerSettings) {
    this.#settings = settings
  }

  /** The same steps, noted, with a point before and after everything that happens in one. */
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
    }
  }

  /** Something that takes its time, and that it does no harm to do again. */
  async think(): Promise<void> {
    await sleep(this.#settings.stepMs)
  }

  /** Writes a row unless there is one with this key. */
  async write(runId: string, name: string, idempotencyKey: string): Promise<void> {
    await sleep(this.#settings.stepMs)
    addRow(this.#settings.folder, idempotencyKey, { runId, name })
    this.#point(runId, `written ${name}`)
  }

  #note(...note: [noted: Noted, runId: string, name: string]): void {
    addNote(join(this.#settings.folder, NOTES), ...note)
  }

  /** Nothing runs in this process after the point at which it is killed. */
  #point(runId: string, point: string): void {
    if (this.#settings.killAt[runId] === point && this.#isFirst(`killed-${runId}`)) process.kill(process.pid, 'SIGKILL')
  }

  /** True once for each name, whatever process asks. */
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
