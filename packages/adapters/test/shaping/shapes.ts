/** Test helpers that shape a single schema. */
import type { Loss } from '../../src/shaping/loss.ts'
import type { ToolRules } from '../../src/shaping/rules/tool-rules.ts'
import { shapeFor } from '../../src/shaping/shape.ts'

export type Schema = Record<string, unknown>

export function toSpec(parameters: Schema) {
  return { type: 'function' as const, function: { name: 'tool', description: 'A tool.', parameters } }
}

export function shapeRoot(parameters: Schema, rules: ToolRules, strict = false) {
  return shapeFor(toSpec(parameters), rules, { strict })
}

export function words({ path, keyword, action }: Loss): string {
  return `${action} ${keyword} ${path}`
}

/** Shapes the property `a` of a closed object. Returns the property with its losses, without the losses of the object itself. */
export function shapeProperty(schema: Schema, rules: ToolRules, strict = false) {
  const parameters = { type: 'object', properties: { a: schema }, required: ['a'], additionalProperties: false }
  const { tool, losses, ...shaped } = shapeRoot(parameters, rules, strict)
  const sent = (tool.function.parameters.properties as Schema).a
  return { sent, losses: losses.map(words).filter((line) => line !== 'dropped additionalProperties '), ...shaped }
}
