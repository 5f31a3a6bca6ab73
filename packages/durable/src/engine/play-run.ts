/** Executes the function of a run until it does not wait any more, over an engine that keeps records in order. */
import { setImmediate as turn } from 'node:timers/promises'
import { NotDecided } from '@x/react-agent/steps'
import { callEnded, closingSteps } from './closing-steps.ts'
import type { RunFunction, WaitsFor } from './engine.ts'
import { isPause } from './is-pause.ts'
import { toJsonText } from './json-text.ts'
import { type NextRecord, OrderedSteps } from './ordered-steps.ts'
import { untilAborted } from './until-aborted.ts'

/** A decision as it was received: `text` is its value as JSON, undefined for undefined. */
export interface Decided {
  readonly name: string
  readonly text: string | undefined
}

export interface Play {
  readonly id: string
  /** The function's. Once it fires the function is not waited for, whatever it does: the run is over, or goes on elsewhere. */
  readonly signal: AbortSignal
  readonly next: NextRecord
  /**
   * Asked when the run waits, and nothing else of it is under way: resolves to a decision, be it one about something else. Which one,
   * and in which order, is the same in every execution.
   */
  receive(waitsFor: readonly WaitsFor[]): Promise<Decided>
  /** Is given the steps before the function is called, so that the engine can close them. */
  onSteps?(steps: OrderedSteps): void
}

/**
 * Resolves to what the function gave; rejects with what it rejected with, with what `next` and `receive` reject with, and with the reason
 * of the signal.
 */
export async function playRun<Input, Output>(fn: RunFunction<Input, Output>, input: Input, play: Play): Promise<Output> {
  const { id, signal, next, receive, onSteps } = play
  // A record may be read at once: the function has first done all that it does about the one before, as when that was made.
  const ordered = new OrderedSteps(async (make) => {
    await turn()
    return await next(make)
  })
  onSteps?.(ordered)
  const decisions = new Map<string, string | undefined>()
  for (;;) {
    const waitsFor = new Map<string, WaitsFor>()
    const steps = closingSteps({
      run: (key, execute) => ordered.run(key, execute),
      wait: async (name, about) => {
        if (decisions.has(name)) return parsed(decisions.get(name))
        // As it is now: it is recorded later.
        const text = toJsonText(about, `What is said about ${JSON.stringify(name)}`)
        waitsFor.set(name, text === undefined ? { name } : { name, about: parsed(text) })
        throw new NotDecided(name)
      },
    })
    try {
      return await untilAborted(() => fn(structuredClone(input), { id, steps, signal }), signal)
    } catch (cause) {
      // What a function makes of it that its steps were stopped is not how the run ends.
      signal.throwIfAborted()
      if (waitsFor.size === 0 || !isPause(cause)) throw cause
    } finally {
      // A branch of it may go on: nothing further begins, and what is under way is recorded.
      void steps.close(callEnded())
      if (!signal.aborted) await untilAborted(() => ordered.quiet(), signal)
    }
    const { name, text } = await receive([...waitsFor.values()])
    // What was decided first stays.
    if (!decisions.has(name)) decisions.set(name, text)
  }
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text)
}
