/** Shapes a tool for one API. Reports losses, and restores arguments. */
import type { ToolSpec } from '@x/tool-core'
import { isSentAsIs } from './as-is.ts'
import type { Loss } from './loss.ts'
import { restoreValue } from './restore.ts'
import { isUnchanged, RulesCache, type SpecSnapshot, snapshotOf } from './rules/rules-cache.ts'
import type { ToolRules } from './rules/tool-rules.ts'
import type { SchemaNode } from './schema/keywords.ts'
import { isEqual } from './schema/keywords.ts'
import { type ShapedSchema, shapeSchema } from './shape-schema.ts'

export interface ShapedTool {
  /** The original name of the tool. */
  readonly name: string
  /**
   * The spec to send, with parameters that the API accepts. The name in the spec may still change, because names must be unique in a
   * request.
   */
  readonly tool: ToolSpec
  readonly losses: readonly Loss[]
  /** True if the API's strict mode was requested and supports the schema. */
  readonly strict: boolean
  /** True if `restore` may change arguments, because the shaped schema accepts different ones. */
  readonly restores: boolean
  /** Converts arguments for the shaped schema to arguments for the original one. Returns the same object if nothing changes. */
  restore(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

export interface ShapeOptions {
  readonly strict?: boolean | undefined
}

/** Shapes a tool. Results are cached by spec, rules and mode. */
export function shapeFor(tool: ToolSpec, rules: ToolRules, { strict = false }: ShapeOptions = {}): ShapedTool {
  const known = made.get(tool, rules, strict)
  if (known !== undefined && isUnchanged(tool, known.snapshot)) return known.shaped
  const shaped = strict ? shapeStrict(tool, rules) : shapePlain(tool, rules)
  made.set(tool, rules, strict, { shaped, snapshot: snapshotOf(tool) })
  return shaped
}

const made = new RulesCache<ToolSpec, { readonly shaped: ShapedTool; readonly snapshot: SpecSnapshot }>()

/** Renames the tool in its spec. Returns the same object for the same name, so that values derived from it can be cached. */
export function withWireName(shaped: ShapedTool, wireName: string): ShapedTool {
  if (wireName === shaped.tool.function.name) return shaped
  const known = renamed.get(shaped)
  if (known?.tool.function.name === wireName) return known
  const { tool } = shaped
  const named = { ...shaped, tool: { ...tool, function: { ...tool.function, name: wireName } } }
  renamed.set(shaped, named)
  return named
}

const renamed = new WeakMap<ShapedTool, ShapedTool>()

function shapePlain(tool: ToolSpec, rules: ToolRules): ShapedTool {
  const { parameters } = tool.function
  return isSentAsIs(parameters, rules.schema) ? asIs(tool) : toTool(tool, shapeSchema(parameters, rules.schema), false)
}

/** Shapes a tool for strict mode. If that can't express the schema, uses the API's other rules and reports the first reason. */
function shapeStrict(tool: ToolSpec, rules: ToolRules): ShapedTool {
  if (rules.strict === undefined)
    return refused(tool, rules, { path: '', keyword: 'strict', action: 'refused', note: 'this API has no strict mode for tools' })
  const shaped = shapeSchema(tool.function.parameters, rules.strict)
  return shaped.refusal === undefined ? toTool(tool, shaped, true) : refused(tool, rules, shaped.refusal)
}

function refused(tool: ToolSpec, rules: ToolRules, refusal: Loss): ShapedTool {
  const plain = shapeFor(tool, rules)
  return { ...plain, losses: [...plain.losses, refusal] }
}

/** Returns the shaped form of a tool that is sent unchanged. */
export function asIs(tool: ToolSpec): ShapedTool {
  return { name: tool.function.name, tool, losses: [], strict: false, restores: false, restore: (args) => args }
}

function toTool(tool: ToolSpec, { schema, losses, restoration }: ShapedSchema, strict: boolean): ShapedTool {
  const { parameters } = tool.function
  const isSame = losses.length === 0 && isEqual(schema, parameters)
  return {
    ...asIs(isSame ? tool : { ...tool, function: { ...tool.function, parameters: schema } }),
    losses,
    strict,
    ...(restoration !== undefined && {
      restores: true,
      restore: (args: SchemaNode) => restoreValue(args, restoration) as SchemaNode,
    }),
  }
}
