/** A tool made from another: the same schema and implementation under another name, or behind a wrapper. */
import type { TObject } from 'typebox'
import type { CallOptions } from './context.ts'
import { ToolError } from './errors.ts'
import type { ActionHooks } from './hooks.ts'
import { assertToolName } from './name.ts'
import type { ArgsOf, NameOf, OutputOf, Tool } from './tool.ts'

export interface ToolChanges<Name extends string = string> {
  name?: Name | undefined
  description?: string | undefined
  category?: string | undefined
  tags?: readonly string[] | undefined
  needsApproval?: boolean | undefined
  /** The run-scoped values that the derived tool asks for; `null` for none. */
  context?: TObject | null | undefined
  hooks?: ActionHooks | undefined
  /** Takes the place of `execute`; it usually calls that of the tool it was made from, and hands the context on. */
  execute?: ((args: object, context?: CallOptions) => unknown) | undefined
}

/**
 * A copy of a tool with these changes; what is not named stays, its kind, hooks and checks included. The tool itself is not
 * changed. Throws `invalid_definition` for an illegal name or an empty description.
 */
export function deriveTool<T extends Tool, const Name extends string = NameOf<T>>(
  tool: T,
  changes: ToolChanges<Name>,
): Tool<Name, ArgsOf<T>, OutputOf<T>> {
  const { name, description, context } = changes
  if (name !== undefined) assertToolName(name, `deriveTool("${tool.name}")`)
  if (description !== undefined && description.trim() === '') {
    throw new ToolError('invalid_definition', `deriveTool("${tool.name}"): description is empty.`)
  }
  const changed = Object.entries(changes).filter(([key, value]) => key !== 'context' && value !== undefined)
  const descriptors = {
    // As descriptors: the list of arguments is derived when it is first read.
    ...Object.getOwnPropertyDescriptors(tool),
    ...Object.fromEntries(changed.map(([key, value]) => [key, { value, enumerable: true }])),
    ...(context !== undefined && { context: { value: context ?? undefined, enumerable: true } }),
  }
  return Object.freeze(Object.defineProperties({}, descriptors)) as never
}
