/** What a composition of actions needs of its steps: running one, and what all of them ask for together. */
import type { TObject } from 'typebox'
import { assertApproved } from '../call/approval.ts'
import type { Run } from '../call/attempt.ts'
import { approveOf, type CallOptions, type ToolContext } from '../call/context.ts'
import { toFailure } from '../call/failure.ts'
import { finish, prepare, reported } from '../call/pipeline.ts'
import type { Action } from '../define/action.ts'
import { type ArgsParser, isTool } from '../define/tool.ts'
import type { Effect, ToolTraits } from '../define/traits.ts'
import { ToolError } from '../errors.ts'
import type { SchemaNode } from '../schema/schema.ts'

export interface Step {
  readonly action: Action
  /** Position or key: part of the step's own idempotency key. */
  readonly place: string | number
  /** True when its args are the output of another step, not what the caller gave. */
  readonly isFedByAnother: boolean
}

/**
 * Runs one step through its own hooks and checks. Two steps are two effects, so each has an idempotency key of its own: a
 * service that remembers keys must not take the second for a repetition of the first. One that needs approval is asked about
 * with its own args, of whoever was asked about the whole. Rejects with what the step rejects with.
 */
export async function runStep(
  { action, place, isFedByAnother }: Step,
  args: object,
  context: ToolContext,
  signal: AbortSignal = context.signal,
): Promise<object> {
  const { callId, values, progress } = context
  const idempotencyKey = context.idempotencyKey && `${context.idempotencyKey}/${place}`
  const options: CallOptions = { callId, idempotencyKey, signal, values, progress, approve: approveOf(context) }
  const run: Run = { tool: action, options, isFedByAnother }
  try {
    const prepared = await prepare(run, args)
    const approved = action.needsApproval ? await assertApproved(run, prepared.args, prepared.shown) : prepared.args
    return (await finish(run, approved)) as object
  } catch (thrown) {
    throw await reported(run, thrown)
  }
}

/** Throws `invalid_definition` for a step that is no action; `usage` says how the composition is written. */
export function assertActions(owner: string, steps: readonly (readonly [place: string, action: unknown])[], usage: string): void {
  if (steps.length === 0) throw new ToolError('invalid_definition', `${owner}: there are no actions. Write ${usage}.`)
  const [place, action] = steps.find(([, step]) => !isTool(step) || step.kind !== 'action') ?? []
  if (place === undefined) return
  const what = isTool(action) ? 'a light tool, whose output has no schema' : 'no action'
  throw new ToolError('invalid_definition', `${owner}: step ${place} is ${what}. Make it with defineAction, and write ${usage}.`)
}

/** What had become of the other steps when one failed. */
export interface Others {
  readonly finished: readonly Step[]
  /** Stopped on the way: nobody knows whether they had their effect. */
  readonly unknown?: readonly Step[]
}

/** Why a composition stopped. What a step was given by another is no mistake of the model. */
export function stoppedAt(composition: string, step: Step, cause: unknown, { finished, unknown = [] }: Others): ToolError {
  const { code, message, issues, reason } = toFailure(step.action, cause)
  const isOwnFault = code === 'invalid_arguments' && step.isFedByAnother
  const words = [
    `"${composition}" stopped at step "${labelOf(step)}": ${message}`,
    finished.length > 0 ? `Finished before that: ${finished.map(labelOf).join(', ')}.` : '',
    unknown.length > 0 ? `Stopped on the way, perhaps after their effect: ${unknown.map(labelOf).join(', ')}.` : '',
  ].filter((part) => part !== '')
  const text = words.length === 1 ? words.join('') : words.map((part) => part.replace(/\.?$/, '.')).join(' ')
  return new ToolError(isOwnFault ? 'execution_failed' : code, text, { cause, issues, reason })
}

function labelOf({ action, place }: Step): string {
  return typeof place === 'number' || place === action.name ? action.name : `${place} (${action.name})`
}

/** What the steps ask of the one who calls the whole: all that any of them asks. */
export function demandsOf(actions: readonly Action[]): ToolTraits & { context: TObject | undefined } {
  return {
    context: contextOf(actions),
    effect: effectOf(actions),
    needsApproval: actions.some((action) => action.needsApproval) || undefined,
    timeoutMs: Infinity, // each step keeps its own deadline
  }
}

/** Lets the arguments through to steps that mend them before they check them themselves. */
export function parserFor(takers: readonly Action[]): ArgsParser | undefined {
  return takers.some(({ hooks }) => hooks?.beforeValidate) ? (args) => ({ args }) : undefined
}

/** So that a missing value is found before the first step has had its effect. */
function contextOf(actions: readonly Action[]): TObject | undefined {
  const contexts = actions.flatMap(({ context }) => context ?? []) as unknown as readonly SchemaNode[]
  if (contexts.length < 2) return contexts[0] as TObject | undefined
  // Of a closed schema each step checks what it declares; together they would allow nothing.
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
