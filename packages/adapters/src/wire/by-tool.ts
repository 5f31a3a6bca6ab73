/** Writes each tool once: a request with a thousand tools makes none of them again. */
import type { ShapedTool } from '../shaping/shape.ts'

/** A conversion of a shaped tool to the API's own form, made once, and frozen, since later requests hold it too. */
export function byTool<Value>(convert: (tool: ShapedTool) => Value): (tool: ShapedTool) => Value {
  const known = new WeakMap<ShapedTool, Value>()
  return (tool) => {
    let value = known.get(tool)
    if (value === undefined) {
      value = Object.freeze(convert(tool))
      known.set(tool, value)
    }
    return value
  }
}
