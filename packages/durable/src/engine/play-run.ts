/**
 * Calls a run's function until it finishes, providing decisions as it waits for them. Works with any engine that keeps ordered
 * records.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { NotDecided } from '@x/react-agent/steps'
import { callEnded, closingSteps } from './closing-steps.ts'
import type { RunFunction, WaitsFor } from './engine.ts'
import { isPause } from './is-pause.ts'
import { toJsonText } from './json-text.ts'
import { type NextRecord, OrderedSteps } from './ordered-steps.ts'
import { untilAborted } from './until-aborted.ts'

/** A received decision. `text` is its value as JSON; undefined stands for the value undefined. */
export interface Decided {
  readonly name: string
  readonly text: string | undefined
}

export interface Play {
  readonly id: string
  /**
   * Signal of the run. Once it is aborted, the function is no longer awaited, because the run has ended or another worker has it.
   */
  readonly signal: AbortSignal
  readonly next: NextRecord
  /**
   * Called when the run waits and no step is pending. Resolves to any decision for the run, not necessarily one in `waitsFor`.
   * The order of the decisions must be the same in every execution.
   */
  receive(waitsFor: readonly WaitsFor[]): Promise<Decided>
  /** Called before the function, with its steps, so that the engine can close them. */
  onSteps?(steps: OrderedSteps): void
}

/**
 * Resolves to the function's output. Rejects with the errors of the function, of `next` and of `receive`, and with the signal's
 * reason.
 */
export async function playRun<Input, Output>(fn: RunFunction<Input, Output>, input: Input, play: Play): Promise<Output> {
  const { id, signal, next, receive, onSteps } = play
  // On replay, records are available at once. Yields first, so that the function can react to the previous record, as it did
  // originally.
  const ordered = new OrderedSteps(async (make) => {
    await turn()
    return await next(make)
  })
  onSteps?.(ordered)
  const decisions = new Map<string, string | undefined>()
  const { waitsFor } = ordered
  for (;;) {
    ordered.callAgain()
    const steps = closingSteps({
      run: (key, execute) => ordered.run(key, execute),
      together: (keys, work) => ordered.together(keys, work),
      wait: async (name, about) => {
        if (decisions.has(name)) return parsed(decisions.get(name))
        // Serializes the value now, because the caller may change it before it is recorded.
        const text = toJsonText(about, `The second argument of wait(${JSON.stringify(name)})`)
        waitsFor.set(name, text === undefined ? { name } : { name, about: parsed(text) })
        throw new NotDecided(name)
      },
    })
    try {
      return await untilAborted(() => fn(structuredClone(input), { id, steps, signal }), signal)
    } catch (cause) {
      // A run that was stopped here must not end with the function's error.
      signal.throwIfAborted()
      if (waitsFor.size === 0 || !isPause(cause)) throw cause
    } finally {
      // Branches may still be running. Starts no more steps; running ones are still recorded.
      void steps.close(callEnded())
      if (!signal.aborted) await untilAborted(() => ordered.quiet(), signal)
    }
    const { name, text } = await receive([...waitsFor.values()])
    // The first decision for a name is final.
    if (!decisions.has(name)) decisions.set(name, text)
  }
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text)
}
