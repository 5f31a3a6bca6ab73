/** A tool as one API takes it, with a report of what that cost and the way back. */
import type { ToolSpec } from '@x/tool-core'
import { isSentAsIs } from './as-is.ts'
import type { SchemaNode } from './keywords.ts'
import { isEqual } from './keywords.ts'
import type { Loss } from './loss.ts'
import { restoreValue } from './restore.ts'
import { isUnchanged, RulesCache, type SpecSnapshot, snapshotOf } from './rules-cache.ts'
import { type ShapedSchema, shapeSchema } from './shape-schema.ts'
import type { ToolRules } from './tool-rules.ts'

export interface ShapedTool {
  /** The tool's own name. */
  readonly name: string
  /** The spec that is sent: its parameters are those that the API takes, and so is its name once a whole list was named. */
  readonly tool: ToolSpec
  readonly losses: readonly Loss[]
  /** True when the API's strict mode was asked for, and takes the schema. */
  readonly strict: boolean
  /** True when `restore` may change anything: args that the shaped schema allows are then not those of the original. */
  readonly restores: boolean
  /** Args of the shaped schema as args of the original one; the same object when nothing is to be undone. */
  restore(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

export interface ShapeOptions {
  readonly strict?: boolean | undefined
}

/** One result per spec, rules and mode. */
export function shapeFor(tool: ToolSpec, rules: ToolRules, { strict = false }: ShapeOptions = {}): ShapedTool {
  const known = made.get(tool, rules, strict)
  if (known !== undefined && isUnchanged(tool, known.snapshot)) return known.shaped
  const shaped = strict ? shapeStrict(tool, rules) : shapePlain(tool, rules)
  made.set(tool, rules, strict, { shaped, snapshot: snapshotOf(tool) })
  return shaped
}

const made = new RulesCache<ToolSpec, { readonly shaped: ShapedTool; readonly snapshot: SpecSnapshot }>()

/** The same object for the same name, so that what is made of it can be kept. */
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

/** A schema that does not fit is sent as without strict mode, and the first reason is told. */
function shapeStrict(tool: ToolSpec, rules: ToolRules): ShapedTool {
  if (rules.strict === undefined)
    return refused(tool, rules, { path: '', keyword: 'strict', action: 'refused', note: 'not known here' })
  const shaped = shapeSchema(tool.function.parameters, rules.strict)
  return shaped.refusal === undefined ? toTool(tool, shaped, true) : refused(tool, rules, shaped.refusal)
}

function refused(tool: ToolSpec, rules: ToolRules, refusal: Loss): ShapedTool {
  const plain = shapeFor(tool, rules)
  return { ...plain, losses: [...plain.losses, refusal] }
}

/** For an API that takes everything. */
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
