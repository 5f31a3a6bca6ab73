/** An in-memory engine with named, ordered records, like DBOS and Restate, that can be made to crash. */
import { seededRandom } from '../src/contract/case.ts'
import type { RunFunction, WaitsFor } from '../src/engine/engine.ts'
import type { OrderedSteps } from '../src/engine/ordered-steps.ts'
import { type Decided, playRun } from '../src/engine/play-run.ts'

interface Kept {
  readonly name: string
  readonly text: string
}

export class OrderedEngine {
  /** The journal of one run. */
  readonly records: Kept[] = []
  readonly decisions = new Map<string, unknown>()
  /** Makes decisions that aren't in `decisions`. */
  decide: ((waits: WaitsFor) => unknown) | undefined
  /** Number of records after which the process crashes. */
  crashAfter = Number.POSITIVE_INFINITY
  /** Number of records after which the process is closed. Running steps are then recorded, and no other steps start. */
  closeAfter = Number.POSITIVE_INFINITY

  /** Executes the run like one process, from the beginning. Returns undefined if it crashed. Rejects if it requests a different record. */
  async play<Output>(fn: RunFunction<number, Output>): Promise<{ readonly output: Output } | undefined> {
    let place = 0
    let made = 0
    let crash: () => void = () => {}
    let ordered: OrderedSteps | undefined
    let isClosing = false
    const crashed = new Promise<undefined>((resolve) => {
      crash = () => resolve(undefined)
    })
    const next = async (name: string, make: () => Promise<string>): Promise<string> => {
      const kept = this.records[place]
      place++
      if (kept !== undefined) {
        if (kept.name !== name) throw new Error(`Record ${place} is one of "${kept.name}", but "${name}" was requested.`)
        await pause()
        return kept.text
      }
      const text = await make()
      if (made >= this.crashAfter) {
        crash()
        return await new Promise<never>(() => {})
      }
      made++
      await pause()
      this.records.push({ name, text })
      if (made === this.closeAfter) {
        isClosing = true
        void ordered?.close().then(crash)
      }
      return text
    }
    const played = playRun(fn, 1, {
      id: 'run',
      signal: new AbortController().signal,
      next: (make) => next('steps', make),
      onSteps: (steps) => {
        ordered = steps
      },
      receive: async (waitsFor) => {
        const { decide } = this
        const chosen = waitsFor[Math.floor(random() * waitsFor.length)]
        if (decide && chosen && !this.decisions.has(chosen.name)) this.decisions.set(chosen.name, decide(chosen))
        const name = waitsFor.map((waits) => waits.name).find((each) => this.decisions.has(each))
        if (name === undefined) throw new Error('No decision is left.')
        const text = await next('receive', async () => JSON.stringify({ name, text: JSON.stringify(this.decisions.get(name)) }))
        return JSON.parse(text) as Decided
      },
    })
      .then((output) => ({ output }))
      // The function may return or fail only because of the close, so its end isn't recorded.
      .finally(() => (isClosing ? crashed : undefined))
    return await Promise.race([played, crashed])
  }
}

const random = seededRandom(1)

/** Waits for a microtask or for a turn of the event loop. */
async function pause(): Promise<void> {
  if (random() < 0.5) await new Promise((resolve) => setImmediate(resolve))
}
