/** Enforces the size limits of strict mode. */

import type { SchemaLimits } from './rules/tool-rules.ts'
import { isSchema } from './schema/keywords.ts'

/** Describes the limit that the schema exceeds. Returns undefined if it exceeds none. */
export function excessOf(schema: object, limits: SchemaLimits): string | undefined {
  const sum = { properties: 0, choices: 0, characters: 0, levels: 0 }
  const stack: { readonly value: unknown; readonly levels: number }[] = [{ value: schema, levels: 0 }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { value, levels } = top
    if (Array.isArray(value)) for (const item of value) stack.push({ value: item, levels })
    if (!isSchema(value)) continue
    const inner = isSchema(value.properties) ? levels + 1 : levels
    sum.levels = Math.max(sum.levels, inner)
    for (const map of [value.properties, value.$defs, value.definitions]) {
      if (isSchema(map)) for (const name of Object.keys(map)) sum.characters += name.length
    }
    if (isSchema(value.properties)) sum.properties += Object.keys(value.properties).length
    if (Array.isArray(value.enum)) {
      sum.choices += value.enum.length
      for (const choice of value.enum) if (typeof choice === 'string') sum.characters += choice.length
    }
    for (const [keyword, one] of Object.entries(value)) if (!DATA.has(keyword)) stack.push({ value: one, levels: inner })
  }
  const beyond = NAMES.find((name) => sum[name] > limits[name])
  return beyond === undefined ? undefined : `${sum[beyond]} ${WORDS[beyond]}, at most ${limits[beyond]}`
}

const DATA = new Set(['enum', 'const', 'default', 'example', 'examples', 'required'])
const NAMES = ['properties', 'levels', 'choices', 'characters'] as const
const WORDS = {
  properties: 'properties',
  levels: 'levels of nested objects',
  choices: 'choices',
  characters: 'characters in names and choices',
} as const
