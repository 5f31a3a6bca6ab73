/** Describes a tool for a model. */
import { toParameters } from './parameters.ts'
import type { Tool } from './tool.ts'

/** The description of a tool that a model receives. Wire formats convert it to the form that their API accepts. */
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
 * Returns the tool's spec, always the same object for the same tool. In the spec, a property with a default isn't required, and the objects
 * of a strict tool are closed. Examples aren't part of the spec.
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
