/** Detects recursive definitions. */
import { isSchema, LIST_KEYWORDS, MAP_KEYWORDS, SCHEMA_KEYWORDS, type SchemaNode } from './keywords.ts'
import { resolveReference } from './references.ts'

/** Returns the first recursive reference, or undefined. Also checks unused definitions, because they are sent too. */
export function findRecursion(root: SchemaNode): string | undefined {
  const done = new Set<string>()
  const open = new Set<string>()
  // Each reference is on the stack twice: once to visit it, and once to leave it after everything below it.
  const sent = [root, ...[root.$defs, root.definitions].filter(isSchema).flatMap((definitions) => Object.values(definitions))]
  const stack = sent.flatMap(referencesIn).map((reference) => ({ reference, isLeft: false }))
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { reference, isLeft } = top
    if (isLeft) {
      open.delete(reference)
      done.add(reference)
      continue
    }
    if (open.has(reference) || reference === '#') return reference
    if (done.has(reference)) continue
    open.add(reference)
    stack.push({ reference, isLeft: true })
    const target = resolveReference(reference, root, undefined)
    for (const inner of referencesIn(target?.node)) stack.push({ reference: inner, isLeft: false })
  }
  return undefined
}

/** Returns the references in a schema, except those in its definitions. */
function referencesIn(schema: unknown): readonly string[] {
  const found: string[] = []
  const stack: unknown[] = [schema]
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (!isSchema(value)) continue
    if (typeof value.$ref === 'string') found.push(value.$ref)
    for (const [keyword, inner] of Object.entries(value)) {
      if (keyword === '$defs' || keyword === 'definitions' || typeof inner !== 'object' || inner === null) continue
      if (SCHEMA_KEYWORDS.has(keyword)) stack.push(inner)
      if (LIST_KEYWORDS.has(keyword) || MAP_KEYWORDS.has(keyword))
        for (const one of Object.values(inner)) stack.push(one ?? false)
    }
  }
  return found
}
