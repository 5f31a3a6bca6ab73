/** Runs a step of a sequence or a parallel action, and combines the traits of all steps. */
import type { TObject } from 'typebox'
import { assertApproved } from '../call/approval.ts'
import type { Invocation } from '../call/attempt.ts'
import { toFailure } from '../call/failure.ts'
import { finish, prepare, reported } from '../call/pipeline.ts'
import type { Action } from '../define/action.ts'
import { approveOf, type CallOptions, type ToolContext } from '../define/context.ts'
import { isTool } from '../define/tool.ts'
import type { Effect, ToolTraits } from '../define/traits.ts'
import { ToolError } from '../errors.ts'
import { stoppedText } from '../prompts.ts'
import type { ArgsParser } from '../schema/parser.ts'
import type { SchemaNode } from '../schema/schema.ts'

export interface Step {
  readonly action: Action
  /** The step's position in a sequence, or its key in a parallel action. Part of the step's own idempotency key. */
  readonly place: string | number
  /** True if the args are the output of another step, not the caller's args. */
  readonly isFedByAnother: boolean
}

/**
 * Runs a step with its own hooks and validation. Each step has its own idempotency key, so that a service doesn't mistake the second step
 * for a repetition of the first. If the step needs approval, the caller's `approve` is called with the step's args. Rejects with the step's
 * error.
 */
export async function callStep(
  { action, place, isFedByAnother }: Step,
  args: object,
  context: ToolContext,
  signal: AbortSignal = context.signal,
): Promise<object> {
  const { callId, values, progress } = context
  const idempotencyKey = context.idempotencyKey && `${context.idempotencyKey}/${place}`
  const options: CallOptions = { callId, idempotencyKey, signal, values, progress, approve: approveOf(context) }
  const invocation: Invocation = { tool: action, options, isFedByAnother }
  try {
    const prepared = await prepare(invocation, args)
    const approved = action.needsApproval ? await assertApproved(invocation, prepared.args, prepared.shown) : prepared.args
    return (await finish(invocation, approved)) as object
  } catch (thrown) {
    throw await reported(invocation, thrown)
  }
}

/** Throws `invalid_definition` for a step that isn't an action. `usage` is an example call to show in the message. */
export function assertActions(owner: string, steps: readonly (readonly [place: string, action: unknown])[], usage: string): void {
  if (steps.length === 0) throw new ToolError('invalid_definition', `${owner}: no actions were passed. Write ${usage}.`)
  const [place, action] = steps.find(([, step]) => !isTool(step) || step.kind !== 'action') ?? []
  if (place === undefined) return
  const what = isTool(action) ? 'a plain tool, whose output has no schema' : 'not an action'
  throw new ToolError(
    'invalid_definition',
    `${owner}: step ${place} is ${what}. Define it with defineAction, and write ${usage}.`,
  )
}

/** The other steps, grouped by their state when one step failed. */
export interface Others {
  readonly finished: readonly Step[]
  /** Steps that were interrupted and may have taken effect. */
  readonly unknown?: readonly Step[]
}

/**
 * Creates the error for a sequence or a parallel action that stopped. If another step produced the invalid args, the code is
 * `execution_failed`, because the model didn't make the mistake.
 */
export function stoppedAt(composition: string, step: Step, cause: unknown, { finished, unknown = [] }: Others): ToolError {
  const { code, message, issues, reason } = toFailure(step.action, cause)
  const isOwnFault = code === 'invalid_arguments' && step.isFedByAnother
  const text = stoppedText(composition, labelOf(step), message, finished.map(labelOf), unknown.map(labelOf))
  return new ToolError(isOwnFault ? 'execution_failed' : code, text, { cause, issues, reason })
}

function labelOf({ action, place }: Step): string {
  return typeof place === 'number' || place === action.name ? action.name : `${place} (${action.name})`
}

/** Combines the traits of all steps. */
export function demandsOf(actions: readonly Action[]): ToolTraits & { context: TObject | undefined } {
  return {
    context: contextOf(actions),
    effect: effectOf(actions),
    needsApproval: actions.some((action) => action.needsApproval) || undefined,
    timeoutMs: Infinity, // each step keeps its own deadline
  }
}

/**
 * If a step has `beforeValidate`, returns a parser that accepts any args, because that hook may repair the args before the step validates
 * them.
 */
export function parserFor(takers: readonly Action[]): ArgsParser | undefined {
  return takers.some(({ hooks }) => hooks?.beforeValidate) ? (args) => ({ args }) : undefined
}

/** Combines the `context` schemas of the steps, so that a missing value is reported before the first step takes effect. */
function contextOf(actions: readonly Action[]): TObject | undefined {
  const contexts = actions.flatMap(({ context }) => context ?? []) as unknown as readonly SchemaNode[]
  if (contexts.length < 2) return contexts[0] as TObject | undefined
  // Each step validates only the values that it declares. In an `allOf`, closed schemas would reject each other's values.
  const open = contexts.map((context) => (context.additionalProperties === false ? withoutClosing(context) : context))
  return { type: 'object', allOf: open } as unknown as TObject
}

function withoutClosing({ additionalProperties: _, ...schema }: SchemaNode): SchemaNode {
  return schema
}

const GRAVEST_FIRST: readonly (Effect | undefined)[] = ['destructive', 'write', undefined, 'idempotent', 'read']

function effectOf(actions: readonly Action[]): Effect | undefined {
  return GRAVEST_FIRST[Math.min(...actions.map(({ effect }) => GRAVEST_FIRST.indexOf(effect)))]
}
