/** Combines several actions into one that runs them one after another. */

import type { Action } from '../define/action.ts'
import type { ToolContext } from '../define/context.ts'
import { createTool } from '../define/tool.ts'
import { assertActions, callStep, demandsOf, parserFor, type Step, stoppedAt } from './step.ts'

// With `NoInfer`, the compiler infers a step's args from that step alone, and then checks the previous step's output against them.
type Link<Args extends object, Output extends object> = Action<string, Args, NoInfer<Output>>

/**
 * Combines actions into one action that runs them in order. Each action receives the previous action's output as its arguments, and the
 * compiler checks that the two match. Each step runs its own hooks and validation, even if `execute` of the sequence is called directly.
 * The first error stops the sequence. Its message names the failed step and the completed ones. If a step needs approval, the whole
 * sequence requires approval before its first step runs, and that step requires it again for its own args.
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
  const places = actions.map((action, index) => [String(index + 1), action] as const)
  assertActions(`sequence("${name}")`, places, 'sequence("name", first, second)')
  const first = actions[0] as Action
  const last = actions.at(-1) as Action
  const steps = actions.map((action, index): Step => ({ action, place: index + 1, isFedByAnother: index > 0 }))
  return createTool(name, 'action', {
    description: actions.map(({ description }) => description).join(' Then: '),
    args: first.args,
    strict: first.strict,
    parse: parserFor([first]),
    output: last.output,
    toModelOutput: last.toModelOutput,
    maxOutputLength: last.maxOutputLength,
    maxMediaBytes: last.maxMediaBytes,
    ...demandsOf(actions),
    execute: (args, context) => runInOrder(name, steps, args, context),
  }) as Action
}

async function runInOrder(name: string, steps: readonly Step[], args: object, context: ToolContext): Promise<object> {
  let value = args
  for (const [index, step] of steps.entries()) {
    try {
      value = await callStep(step, value, context)
    } catch (cause) {
      throw stoppedAt(name, step, cause, { finished: steps.slice(0, index) })
    }
  }
  return value
}
