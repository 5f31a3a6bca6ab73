/** Actions in a row, as one action. */
import type { Action } from './action.ts'
import { demandsOf, runStep, stoppedAt } from './step.ts'
import { createTool } from './tool.ts'

// What a step takes is inferred from it alone, so that it is the output before it (covariant) that is compared with it.
type Link<Args extends object, Output extends object> = Action<string, Args, NoInfer<Output>>

/**
 * Runs the actions one after another, each with the output of the one before as its arguments: the compiler checks that they
 * fit. Each step passes through its own hooks and checks, also when `execute` of the sequence is called directly; the first
 * error stops it and names the step. A step that needs approval makes the whole need it, before the first one runs.
 */
export function sequence<const Name extends string, A extends object, B extends object, Out extends object>(
  name: Name,
  first: Link<A, B>,
  second: Action<string, B, Out>,
): Action<Name, A, Out>
export function sequence<const Name extends string, A extends object, B extends object, C extends object, Out extends object>(
  name: Name,
  first: Link<A, B>,
  second: Link<B, C>,
  third: Action<string, C, Out>,
): Action<Name, A, Out>
export function sequence<
  const Name extends string,
  A extends object,
  B extends object,
  C extends object,
  D extends object,
  Out extends object,
>(name: Name, first: Link<A, B>, second: Link<B, C>, third: Link<C, D>, fourth: Action<string, D, Out>): Action<Name, A, Out>
export function sequence(name: string, ...actions: readonly Action[]): Action {
  const [first] = actions
  const last = actions.at(-1)
  return createTool(name, 'action', {
    description: actions.map(({ description }) => description).join(' Then: '),
    args: first?.args as Action['args'],
    output: last?.output,
    ...demandsOf(actions),
    execute: async (args, context) => {
      let value = args
      for (const [index, action] of actions.entries()) {
        const step = { action, place: index + 1 }
        value = await runStep(step, value, context).catch((cause: unknown) => {
          throw stoppedAt(name, step, cause)
        })
      }
      return value
    },
  }) as Action
}
