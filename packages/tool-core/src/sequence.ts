/** Two actions in a row, as one action. */
import type { TObject } from 'typebox'
import type { Action } from './action.ts'
import type { ToolContext } from './context.ts'
import { ToolError } from './errors.ts'
import { runPipeline } from './pipeline.ts'
import { createTool, type Effect } from './tool.ts'

/**
 * Runs `first`, then `second` with the first's output as its arguments: the compiler checks that they fit. Each step passes
 * through its own hooks and checks, also when `execute` of the sequence is called directly; an error names the step.
 */
export function sequence<const Name extends string, In extends object, Mid extends object, Out extends object>(
  name: Name,
  // Mid is what the second takes, so that it is the first's output (covariant) that is compared, not a method's parameter.
  first: Action<string, In, NoInfer<Mid>>,
  second: Action<string, Mid, Out>,
): Action<Name, In, Out> {
  return createTool(name, 'action', {
    description: `${first.description} Then: ${second.description}`,
    args: first.args,
    output: second.output,
    context: contextOf(first, second),
    effect: effectOf(first, second),
    timeoutMs: Infinity, // each step keeps its own deadline
    execute: async (args, context) => {
      const middle = await runStep({ sequence: name, step: first, position: 1 }, args, context)
      return runStep({ sequence: name, step: second, position: 2 }, middle as object, context)
    },
  }) as never
}

/** What both steps need, so that a missing value is found before the first step has had its effect. */
function contextOf(first: Action, second: Action): TObject | undefined {
  if (first.context === undefined || second.context === undefined) return first.context ?? second.context
  return { type: 'object', allOf: [first.context, second.context] } as unknown as TObject
}

/** The graver of the two. */
function effectOf(first: Action, second: Action): Effect | undefined {
  const order: readonly (Effect | undefined)[] = ['destructive', 'write', undefined, 'idempotent', 'read']
  return order[Math.min(order.indexOf(first.effect), order.indexOf(second.effect))]
}

interface Step {
  readonly sequence: string
  readonly step: Action
  readonly position: number
}

async function runStep({ sequence, step, position }: Step, args: object, context: ToolContext): Promise<unknown> {
  const { callId, idempotencyKey, signal, values, progress } = context
  // Two steps are two effects: a service that remembers keys must not take the second for a repetition of the first.
  const ownKey = idempotencyKey && `${idempotencyKey}/${position}`
  try {
    return (await runPipeline(step, args, { callId, idempotencyKey: ownKey, signal, values, progress })).output
  } catch (cause) {
    const { code, message, issues } = cause as ToolError
    // What the first step returned is no mistake of the model.
    const ownFault = code === 'invalid_arguments' ? 'execution_failed' : code
    throw new ToolError(ownFault, `"${sequence}" stopped at step "${step.name}": ${message}`, { cause, issues })
  }
}
