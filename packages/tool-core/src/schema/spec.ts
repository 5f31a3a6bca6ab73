/** The canonical request form of a tool. */
import { toParameters } from '../define/parameters.ts'
import type { Tool } from '../define/tool.ts'

/** What a model is told about a tool, in the canonical form; a wire format turns it into what its API takes. */
export interface ToolSpec {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: Readonly<Record<string, unknown>>
  }
}

const cache = new WeakMap<Tool, ToolSpec>()

/**
 * The tool's spec; one object per tool, made at first use. A property with a default is not required on the wire, and a strict
 * tool's objects are closed there. Examples are not part of it.
 */
export function toSpec(tool: Tool): ToolSpec {
  let spec = cache.get(tool)
  if (spec === undefined) {
    const { name, description, args, strict } = tool
    const words = Object.freeze({ name, description, parameters: toParameters(args, strict) })
    spec = Object.freeze({ type: 'function', function: words })
    cache.set(tool, spec)
  }
  return spec
}
