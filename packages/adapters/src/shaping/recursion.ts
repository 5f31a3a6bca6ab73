/** Definitions that hold themselves. */

import { resolveReference } from './references.ts'
import { isSchema, type SchemaNode } from './schema-node.ts'

/** The first reference that leads back to where it stands, or undefined. */
export function findRecursion(root: SchemaNode): string | undefined {
  const done = new Set<string>()
  const open = new Set<string>()
  // The stack holds references to enter, and, after what they lead to, to leave again.
  const stack = referencesIn(root).map((reference) => ({ reference, isLeft: false }))
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

/** Those of the schema itself, without its definitions. */
function referencesIn(schema: unknown): readonly string[] {
  const found: string[] = []
  const stack: unknown[] = [schema]
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (Array.isArray(value)) stack.push(...value)
    else if (isSchema(value)) {
      for (const [keyword, inner] of Object.entries(value)) {
        if (keyword === '$ref' && typeof inner === 'string') found.push(inner)
        else if (keyword !== '$defs' && keyword !== 'definitions' && typeof inner === 'object') stack.push(inner)
      }
    }
  }
  return found
}
