/** Rewrites a schema's references as JSON pointers, for code that can't read anchors or ids. */
import { isSchemaNode, type SchemaNode } from '../../schema.ts'
import { APPLICATORS, isMapKeyword, subschemasOf } from '../subschemas.ts'
import { documentOf, type Part, type Resource, type SchemaDocument } from './references.ts'

/**
 * Returns a copy in which each reference is a `$ref` with a JSON pointer into the copy, and no subschema has an `$id` or an anchor. Returns
 * the schema itself if its references are pointers already. Also returns the schema itself if a reference doesn't resolve, or if a target
 * depends on the path to the reference.
 */
export function withPointers(schema: object): object {
  if (!hasNames(schema)) return schema
  try {
    subschemasOf(schema)
    const document = documentOf(schema)
    return document.isDynamic ? schema : new Copier(document).copyOf(document.root)
  } catch {
    return schema
  }
}

/**
 * True if the schema contains a reference by name, or both a reference and a subschema with an `$id`. That subschema may contain the
 * reference.
 */
function hasNames(schema: object): boolean {
  let refers = false
  let isSplit = false
  const seen = new Set<object>()
  const stack = [schema]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    const { $id, $ref, $dynamicRef, $recursiveRef } = node as SchemaNode
    if (typeof $ref === 'string' && $ref !== '#' && !$ref.startsWith('#/')) return true
    refers ||= ($ref ?? $dynamicRef ?? $recursiveRef) !== undefined
    isSplit ||= typeof ($dynamicRef ?? $recursiveRef) === 'string' || (typeof $id === 'string' && node !== schema)
    if (refers && isSplit) return true
    for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) stack.push(value)
  }
  return false
}

const NAMES: ReadonlySet<string> = new Set([
  ...['$ref', '$dynamicRef', '$recursiveRef'],
  ...['$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor'],
])

class Copier {
  readonly #document: SchemaDocument
  readonly #copies = new Map<Part, Record<string, unknown>>()

  constructor(document: SchemaDocument) {
    this.#document = document
  }

  /** Copies a part. The content of unknown keywords isn't changed. */
  copyOf(part: Part): SchemaNode {
    const known = this.#copies.get(part)
    if (known !== undefined) return known
    const copy: Record<string, unknown> = {}
    this.#copies.set(part, copy)
    const { node, resource, targets } = part
    for (const keyword in node) {
      const value = node[keyword]
      if (isMapKeyword(keyword) && isSchemaNode(value)) copy[keyword] = this.#copyMap(value, resource)
      else if (APPLICATORS.has(keyword)) copy[keyword] = this.#copyMembers(value, resource)
      else if (!NAMES.has(keyword) || (keyword === '$id' && part === this.#document.root)) copy[keyword] = value
    }
    for (const target of targets.values()) {
      if (target === true) continue
      const reference = target === false ? false : { $ref: `#${target.pointer.replaceAll('%', '%25')}` }
      if (reference !== false && copy.$ref === undefined) copy.$ref = reference.$ref
      else copy.allOf = (Array.isArray(copy.allOf) ? copy.allOf : []).concat(reference)
    }
    return copy
  }

  #copyMap(map: SchemaNode, resource: Resource): SchemaNode {
    const copy: SchemaNode = {}
    for (const name in map) {
      // Not an assignment, because a name may be `__proto__`.
      Object.defineProperty(copy, name, { value: this.#copyChild(map[name], resource), enumerable: true })
    }
    return copy
  }

  #copyMembers(value: unknown, resource: Resource): unknown {
    return Array.isArray(value) ? value.map((child) => this.#copyChild(child, resource)) : this.#copyChild(value, resource)
  }

  #copyChild(child: unknown, resource: Resource): unknown {
    return isSchemaNode(child) ? this.copyOf(this.#document.partOf(child, resource)) : child
  }
}
