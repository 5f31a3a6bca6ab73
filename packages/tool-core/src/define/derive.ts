/**
 * Derives a tool from another one. The derived tool has the same schema and implementation, but another name or a wrapper around `execute`.
 */
import type { TObject } from 'typebox'
import { describeValue } from '../describe-value.ts'
import { ToolError } from '../errors.ts'
import type { TypedSchema } from '../schema/kinds.ts'
import { toObjectSchema } from '../schema/read-schema.ts'
import type { Action } from './action.ts'
import type { ToolContext } from './context.ts'
import { type ActionHooks, assertHooks } from './hooks.ts'
import { assertToolName, insteadOf, isToolName } from './name.ts'
import type { Execution } from './progress.ts'
import {
  type ArgsOf,
  assertDescription,
  assertFunction,
  isTool,
  type NameOf,
  type OutputOf,
  type Tool,
  type ToolParts,
  toExecute,
} from './tool.ts'
import { assertTraits } from './traits.ts'

export interface ToolChanges<Name extends string = string, T extends Tool = Tool, Kind extends string = string> {
  name?: Name | undefined
  /** A custom kind, such as `agent`, `workflow` or `prompt`. A registry lists the tool under this kind. */
  kind?: Kind | undefined
  description?: string | undefined
  category?: string | undefined
  tags?: readonly string[] | undefined
  /** Makes the derived tool require approval. If the original tool requires approval, so does the derived tool. */
  needsApproval?: true | undefined
  /** Schema for the run-scoped values that the derived tool needs; `null` for none. */
  context?: TObject | TypedSchema | null | undefined
  hooks?: ActionHooks | undefined
  /** Replaces `execute`. A replacement usually calls the original tool's `execute` and passes the context on. */
  execute?: ((args: ArgsOf<T>, context: ToolContext) => Execution<OutputOf<T>>) | undefined
}

/** The same tool under another name. An action that gets a custom kind is no longer an `Action`. */
type Renamed<T extends Tool, Name extends string, Kind extends string> =
  T extends Action<string, infer Args, infer Output>
    ? 'action' extends Kind
      ? Action<Name, Args, Output>
      : Tool<Name, Args, Output>
    : Tool<Name, ArgsOf<T>, OutputOf<T>>

/**
 * Returns a copy of a tool with these changes, and keeps everything else, including hooks and validation. The original tool isn't changed.
 * Throws `invalid_definition` like `defineTool`.
 */
export function deriveTool<T extends Tool, const Name extends string = NameOf<T>, const Kind extends string = 'action'>(
  tool: T,
  changes: ToolChanges<Name, T, Kind>,
): Renamed<T, Name, Kind> {
  if (!isTool(tool)) throw new ToolError('invalid_definition', noTool(tool))
  const owner = `deriveTool("${tool.name}")`
  assertChanges(owner, changes as object)
  const { context, execute, ...others } = changes as ToolChanges
  const changed = Object.entries(others).filter(([, value]) => value !== undefined)
  const descriptors = {
    // Copies property descriptors, because `arguments` is a getter that derives the list when it's first read.
    ...Object.getOwnPropertyDescriptors(tool as object),
    ...Object.fromEntries(changed.map(([key, value]) => [key, { value, enumerable: true }])),
    ...(context !== undefined && {
      context: { value: context ? toObjectSchema(context, owner, 'context') : undefined, enumerable: true },
    }),
    ...(execute && { execute: { value: toExecute(execute as ToolParts['execute'], tool.args), enumerable: true } }),
  }
  return Object.freeze(Object.defineProperties({}, descriptors)) as never
}

function noTool(given: unknown): string {
  return `deriveTool: the first argument must be a tool, got ${describeValue(given)}. ${insteadOf(given)}`
}

const CHANGES: ReadonlySet<string> = new Set<keyof ToolChanges>([
  'name',
  'description',
  'category',
  'tags',
  'needsApproval',
  'context',
  'hooks',
  'execute',
  'kind',
])

/** Kinds that this package and the registry already use. */
const OWN_KINDS: ReadonlySet<string> = new Set(['tool', 'action', 'lazy', 'factory'])

function assertChanges(owner: string, changes: ToolChanges): void {
  if (typeof changes !== 'object' || changes === null)
    throw new ToolError(
      'invalid_definition',
      `${owner}: the changes must be an object, got ${describeValue(changes)}. Write e.g. { name: 'other' }.`,
    )
  const unknown = Object.keys(changes).find((key) => !CHANGES.has(key))
  if (unknown !== undefined) {
    const words = `${unknown} can't be changed. These can: ${[...CHANGES].join(', ')}. For any other change, define a new tool`
    throw new ToolError('invalid_definition', `${owner}: ${words}.`)
  }
  const { name, kind, description, hooks, execute, needsApproval, ...traits } = changes
  if (hooks !== undefined) assertHooks(hooks, owner)
  if (name !== undefined) assertToolName(name, owner)
  if (kind !== undefined && (!isToolName(kind) || OWN_KINDS.has(kind)))
    throw new ToolError(
      'invalid_definition',
      `${owner}: kind must be a word of your own, such as "workflow", got ${describeValue(kind)}. Reserved kinds: ${[...OWN_KINDS].join(', ')}.`,
    )
  if (description !== undefined) assertDescription(description, owner)
  if (execute !== undefined) assertFunction(execute, owner, 'execute')
  if (needsApproval !== undefined && needsApproval !== true) {
    throw new ToolError(
      'invalid_definition',
      `${owner}: needsApproval must be true, got ${describeValue(needsApproval)}. A derived tool can't remove this requirement.`,
    )
  }
  assertTraits(traits, owner)
}
