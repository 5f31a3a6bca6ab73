/** Detects the JSON Schema draft of a schema. */
import type { SchemaNode } from '../../schema.ts'

export type Draft = 'draft-07' | '2019-09' | '2020-12'

const OF_2020 = ['prefixItems', '$dynamicRef', '$dynamicAnchor']
const OF_2019 = [
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependentRequired',
  'dependentSchemas',
  'minContains',
  'maxContains',
  '$recursiveRef',
]

/**
 * Detects the draft of a schema, first by its keywords and then by `$schema`, because a generator may name one draft and write the tuples
 * of another. Returns draft-07 for tuples in `items`, which TypeBox writes, and for a schema that means the same in all drafts. Default:
 * 2020-12.
 */
export function draftOf(nodes: readonly SchemaNode[]): Draft {
  const uses = (keywords: readonly string[]) => nodes.some((node) => keywords.some((keyword) => Object.hasOwn(node, keyword)))
  const names = (draft: Draft) => nodes.some(({ $schema }) => typeof $schema === 'string' && $schema.includes(draft))
  if (uses(OF_2020)) return '2020-12'
  const hasOldTuple = nodes.some(({ items }) => Array.isArray(items))
  if (names('2020-12') && !hasOldTuple) return '2020-12'
  if (names('2019-09')) return '2019-09'
  if (!uses(OF_2019)) return 'draft-07'
  return hasOldTuple ? '2019-09' : '2020-12'
}

/** True for the URI of draft 7 or an earlier draft, where a `$ref` replaces the keywords beside it. */
export function isOldDraft($schema: string): boolean {
  return /\/draft-0[3-7]\//.test($schema)
}
