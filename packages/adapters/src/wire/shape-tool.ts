/** What a tool costs on one API, asked for by itself: for a look at the losses, and for programs that write requests themselves. */
import { isTool, type Tool, type ToolSpec, toSpec } from '@x/tool-core'
import { createNames } from '../shaping/names.ts'
import { asIs, type ShapedTool, type ShapeOptions, shapeFor, withWireName } from '../shaping/shape.ts'
import type { ToolRules } from '../shaping/tool-rules.ts'
import type { WireFormat } from './wire-format.ts'

export interface ShapeToolOptions {
  /** Some APIs take more of a schema with newer models. */
  readonly model?: string | undefined
  readonly strict?: boolean | undefined
}

/**
 * The tool as the wire sends it: its schema as the API takes it, its name made legal. `losses` says what that cost, and `restore`
 * makes args of the tool's own schema from what a model wrote. One result per tool, wire and mode.
 */
export function shape(
  tool: Tool | ToolSpec,
  wire: WireFormat,
  { model = '', strict = false }: ShapeToolOptions = {},
): ShapedTool {
  const spec = isTool(tool) ? toSpec(tool) : tool
  const rules = wire.toolRules?.(model)
  return rules === undefined ? asIs(spec) : shapeSpec(spec, rules, { strict })
}

/** As `shape`, by rules of any API: those of `toolRules`, or of a host that speaks another's API and takes less. */
export function shapeSpec(spec: ToolSpec, rules: ToolRules, options: ShapeOptions = {}): ShapedTool {
  const shaped = shapeFor(spec, rules, options)
  return withWireName(shaped, createNames([shaped.name], rules.names).toWire(shaped.name))
}
