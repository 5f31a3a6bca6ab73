/** A tool as one API takes it, with a report of what that cost and the way back. */
import type { ToolSpec } from '@x/tool-core'
import { isSentAsIs } from './as-is.ts'
import { isEqual } from './keywords.ts'
import type { Loss } from './loss.ts'
import { restoreValue } from './restore.ts'
import type { SchemaNode } from './schema-node.ts'
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
  const byMode = known.get(tool) ?? new Map<string, ShapedTool>()
  if (byMode.size === 0) known.set(tool, byMode)
  const key = strict ? `${rules.id} strict` : rules.id
  let shaped = byMode.get(key)
  if (shaped === undefined) {
    shaped = strict ? shapeStrict(tool, rules) : shapePlain(tool, rules)
    byMode.set(key, shaped)
  }
  return shaped
}

const known = new WeakMap<ToolSpec, Map<string, ShapedTool>>()

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

function asIs(tool: ToolSpec): ShapedTool {
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
