/** Refuses keywords whose value no validator accepts. */
import { ToolError } from '../../errors.ts'
import { shorten } from '../issue.ts'
import type { SchemaNode } from '../schema.ts'
import { isMisused, isText, missedKinds } from './keyword-kinds.ts'
import type { Subschema } from './subschemas.ts'
import { isTypeName, typeFix } from './type-names.ts'

const MAX_SHOWN = 60

/**
 * Throws `invalid_definition` for an unknown type, and for a keyword with a value of the wrong type or with one that it doesn't allow. The
 * message says what to write instead.
 */
export function assertKeywords(subschemas: readonly Subschema[], subject: string): void {
  for (const { node, pointer, isKnown } of subschemas) {
    if (!isKnown) continue
    for (const keyword in node) {
      const value = node[keyword]
      const kinds = missedKinds(keyword, value)
      if (kinds === undefined && isFine(keyword, value)) continue
      const shown = value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? typeof value)
      const words = `${subject} has the ${keyword} ${shorten(shown, MAX_SHOWN)} at ${pointer || 'its root'}.`
      throw new ToolError(
        'invalid_definition',
        `${words} ${keyword === 'type' ? typeFix(value) : kindFix(keyword, value, kinds)}`,
      )
    }
  }
}

function isFine(keyword: string, value: unknown): boolean {
  if (keyword === 'type') return isTypeName(value)
  return keyword === 'dependentRequired' ? hasLists(value) : !isMisused(keyword, value)
}

function kindFix(keyword: string, value: unknown, kinds: readonly string[] = []): string {
  // In draft 3 and for some APIs, `required: true` is written in each required property.
  if (keyword === 'required' && typeof value === 'boolean')
    return 'List the names of required properties in the schema of the enclosing object, e.g. required: ["name"].'
  if (keyword === 'required' && kinds.length === 0) return 'List the names of properties, e.g. required: ["name"].'
  if (keyword === 'multipleOf' && kinds.length === 0) return 'It must be greater than 0.'
  if (keyword === 'dependentRequired') return 'Write a list of names for each property, e.g. { "city": ["country"] }.'
  if (value instanceof RegExp) return `Write its source: ${JSON.stringify(value.source)}.`
  return `It must be of type ${kinds.join(' or ')}.`
}

function hasLists(value: unknown): boolean {
  for (const name in value as object) {
    const list = (value as SchemaNode)[name]
    if (!Array.isArray(list) || !list.every(isText)) return false
  }
  return true
}
