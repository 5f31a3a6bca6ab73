/** The form in which a tool is sent to a model. */
import { toParameters } from './parameters.ts'
import type { Tool } from './tool.ts'

/** A tool as it is described to a model. Wire formats convert this canonical form to the form that an API accepts. */
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
 * Returns the tool's spec. It is created at first use, and the same object is returned each time. In the spec, a property with a default
 * isn't required, and the objects of a strict tool are closed. Examples aren't part of the spec.
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
