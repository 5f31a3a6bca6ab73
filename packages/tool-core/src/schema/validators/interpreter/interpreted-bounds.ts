/** Limits `uniqueItems` for the interpreting validator, which compares each item of a list with every other item. */
import type { Issue } from '../../issue.ts'
import { pointerOf } from '../../pointer.ts'
import { isSchemaNode, type SchemaNode } from '../../schema.ts'
import type { SchemaFacts } from '../check.ts'
import { schemasAt } from '../issues/places.ts'
import { wordsOf } from '../issues/words.ts'

/** A walk through a value. */
export interface Look {
  readonly facts: SchemaFacts
  readonly keys: string[]
  readonly issues: Issue[]
}

const MAX_COMPARED = 1_000

export function checkList(list: readonly unknown[], look: Look): void {
  if (list.length <= MAX_COMPARED) return
  const isCompared = candidatesAt(look).some(({ uniqueItems }) => uniqueItems === true)
  if (isCompared) look.issues.push(issueAt(look.keys, 'maxItems', { limit: MAX_COMPARED }))
}

/** The schemas that may apply at the path. All schemas, if there are references that only a validator can resolve. */
function candidatesAt({ facts: { schema, nodes }, keys }: Look): readonly SchemaNode[] {
  const areKnown = nodes.every((node) => REFERENCES.every((keyword) => isPointer(node[keyword], schema as SchemaNode)))
  return areKnown ? schemasAt(schema, keys) : nodes
}

const REFERENCES = ['$ref', '$recursiveRef', '$dynamicRef']

function isPointer(reference: unknown, { $defs }: SchemaNode): boolean {
  if (typeof reference !== 'string') return true
  return reference === '#' || reference.startsWith('#/') || (isSchemaNode($defs) && Object.hasOwn($defs, reference))
}

function issueAt(keys: readonly string[], keyword: string, params: Readonly<Record<string, unknown>>): Issue {
  const path = pointerOf(keys)
  return { path, keyword, ...wordsOf({ instancePath: path, schemaPath: '', keyword, params }) }
}
