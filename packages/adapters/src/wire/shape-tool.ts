/** Shapes a single tool for one API, for programs that check the losses or write requests themselves. */
import { isTool, type Tool, type ToolSpec, toSpec } from '@x/tool-core'
import { createNames } from '../shaping/names.ts'
import type { ToolRules } from '../shaping/rules/tool-rules.ts'
import { asIs, type ShapedTool, type ShapeOptions, shapeFor, withWireName } from '../shaping/shape.ts'
import type { WireFormat } from './wire-format.ts'

export interface ShapeToolOptions {
  /** Model name. Some APIs support more of JSON Schema for newer models. */
  readonly model?: string | undefined
  readonly strict?: boolean | undefined
}

/**
 * Returns the tool as the wire format sends it, with a name and a schema that the API accepts. `losses` lists the changes, and `restore`
 * converts the model's arguments back to the tool's own schema. The result is the same object for the same tool, wire format and mode.
 */
export function shape(
  tool: Tool | ToolSpec,
  wire: WireFormat,
  { model = '', strict = false }: ShapeToolOptions = {},
): ShapedTool {
  const spec = isTool(tool) ? toSpec(tool) : tool
  const rules = wire.toolRules?.(model)
  if (rules === undefined) return asIs(spec)
  return shapeSpec(spec, rules, { strict: strict && wire.modelFacts?.(model).strictTools !== false })
}

/** Same as `shape`, but with any rules, such as those of a host that supports only part of an API. */
export function shapeSpec(spec: ToolSpec, rules: ToolRules, options: ShapeOptions = {}): ShapedTool {
  const shaped = shapeFor(spec, rules, options)
  return withWireName(shaped, createNames([shaped.name], rules.names).toWire(shaped.name))
}
