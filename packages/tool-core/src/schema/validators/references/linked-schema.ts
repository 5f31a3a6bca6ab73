/** Converts a schema to the form that validators need: each reference points to the root or to one of its `$defs`. */
import { isSchemaNode, type SchemaNode } from '../../schema.ts'
import { type Draft, draftOf } from '../ajv/draft.ts'
import { hasKind } from '../keyword-kinds.ts'
import { APPLICATORS, isDataKeyword, isDefinitions, isMapKeyword, subschemasOf } from '../subschemas.ts'
import { documentOf, isLinked, isOnlyReference, type Part, REFERENCES, type Resource, type SchemaDocument } from './references.ts'

export interface LinkedSchema {
  readonly schema: SchemaNode
  /** The schema and all of its subschemas. */
  readonly nodes: readonly SchemaNode[]
  readonly draft: Draft
  /** The target of each node's `$ref`. */
  readonly targets: ReadonlyMap<SchemaNode, SchemaNode>
  /** The links for dynamic references. Undefined if each reference always has the same target. */
  readonly dynamic: DynamicLinks | undefined
}

/**
 * What a validator needs to resolve a `$dynamicRef`. The target is in the outermost resource that has the anchor and is on the path to the
 * reference.
 */
export interface DynamicLinks {
  readonly references: ReadonlyMap<SchemaNode, DynamicReference>
  readonly resources: ReadonlyMap<SchemaNode, Resource>
  readonly anchors: ReadonlyMap<Resource, ReadonlyMap<string, SchemaNode>>
}

export interface DynamicReference {
  readonly name: string
  /** The target if no resource on the path has the anchor. */
  readonly target: SchemaNode
}

const linked = new WeakMap<object, LinkedSchema>()

/**
 * Returns the schema with linked references, or the schema itself if it has no references, no `$id` and no anchors. Throws like
 * `assertReferences`.
 */
export function linkedSchemaOf(schema: object): LinkedSchema {
  const known = linked.get(schema)
  if (known !== undefined) return known
  const nodes = subschemasOf(schema).map(({ node }) => node)
  const draft = draftOf(nodes)
  const made = nodes.some(isLinked)
    ? new Linker(documentOf(schema)).link(draft)
    : { schema: schema as SchemaNode, nodes, draft, targets: new Map(), dynamic: undefined }
  linked.set(schema, made)
  linked.set(made.schema, made)
  return made
}

interface Reference {
  readonly copy: SchemaNode
  readonly target: Part
}

/** Copies each part once. Leaves out definitions without a reference to them, and unknown keywords with an object as their value. */
class Linker {
  readonly #document: SchemaDocument
  readonly #copies = new Map<Part, Record<string, unknown>>()
  /** Parts to copy. The list grows during copying. */
  readonly #pending: Part[] = []
  /** The names in the copy's `$defs` of the parts that references point to. */
  readonly #names = new Map<Part, string>()
  readonly #references: Reference[] = []
  readonly #dynamic: (Reference & { readonly name: string })[] = []
  readonly #resources = new Set<Resource>()

  constructor(document: SchemaDocument) {
    this.#document = document
  }

  link(draft: Draft): LinkedSchema {
    const schema = this.#copyOf(this.#document.root)
    for (const part of this.#pending) this.#copyOf(part)
    const definitions: Record<string, SchemaNode> = {}
    for (const [part, name] of this.#names) definitions[name] = this.#copyOf(part)
    if (this.#names.size > 0) schema.$defs = definitions
    const targets = new Map<SchemaNode, SchemaNode>()
    for (const { copy, target } of this.#references) targets.set(copy, this.#copyOf(target))
    const dynamic = this.#dynamic.length > 0 ? this.#dynamicLinks() : undefined
    return { schema, nodes: [...this.#copies.values()], draft, targets, dynamic }
  }

  #dynamicLinks(): DynamicLinks {
    const references = new Map<SchemaNode, DynamicReference>()
    for (const { copy, name, target } of this.#dynamic) references.set(copy, { name, target: this.#copyOf(target) })
    const resources = new Map<SchemaNode, Resource>()
    for (const [part, copy] of this.#copies) resources.set(copy, part.resource)
    const anchors = new Map<Resource, ReadonlyMap<string, SchemaNode>>()
    for (const resource of this.#resources) {
      const named = new Map<string, SchemaNode>()
      for (const [name, part] of resource.dynamicAnchors) named.set(name, this.#copyOf(part))
      anchors.set(resource, named)
    }
    return { references, resources, anchors }
  }

  #copyOf(part: Part): Record<string, unknown> {
    const known = this.#copies.get(part)
    if (known !== undefined) return known
    const copy: Record<string, unknown> = {}
    this.#copies.set(part, copy)
    if (this.#document.isDynamic && !this.#resources.has(part.resource)) {
      this.#resources.add(part.resource)
      this.#pending.push(...part.resource.dynamicAnchors.values())
    }
    if (!isOnlyReference(part)) {
      for (const [keyword, value] of Object.entries(part.node))
        if (!OMITTED.has(keyword) && !isDefinitions(keyword)) this.#copyKeyword(copy, keyword, value, part.resource)
    }
    this.#addReferences(copy, part)
    return copy
  }

  #copyKeyword(copy: Record<string, unknown>, keyword: string, value: unknown, resource: Resource): void {
    if (typeof value !== 'object' || value === null || isDataKeyword(keyword)) copy[keyword] = value
    else if (isMapKeyword(keyword) && isSchemaNode(value)) copy[keyword] = this.#copyMap(value, resource)
    else if (!APPLICATORS.has(keyword)) {
      if (hasKind(keyword)) copy[keyword] = value
    } else if (Array.isArray(value)) copy[keyword] = value.map((item) => this.#copyChild(item, resource))
    else copy[keyword] = this.#copyChild(value, resource)
  }

  #copyMap(map: SchemaNode, resource: Resource): SchemaNode {
    const copy: SchemaNode = {}
    for (const [name, child] of Object.entries(map)) {
      const value = this.#copyChild(child, resource)
      // Not an assignment, because a name may be `__proto__`.
      Object.defineProperty(copy, name, { value, enumerable: true })
    }
    return copy
  }

  #copyChild(child: unknown, resource: Resource): unknown {
    return isSchemaNode(child) ? this.#copyOf(this.#document.partOf(child, resource)) : child
  }

  #addReferences(copy: Record<string, unknown>, { targets, dynamicName }: Part): void {
    for (const [keyword, target] of targets) {
      if (target === true) continue
      if (target === false) addToAll(copy, false)
      else if (keyword !== '$ref' && dynamicName !== undefined) {
        copy.$dynamicRef = `#${dynamicName}`
        this.#dynamic.push({ copy, name: dynamicName, target: this.#later(target) })
      } else if (copy.$ref === undefined) this.#refer(copy, target)
      else addToAll(copy, this.#refer({}, target))
    }
  }

  #refer(copy: Record<string, unknown>, target: Part): SchemaNode {
    if (target !== this.#document.root && !this.#names.has(target)) this.#names.set(target, `r${this.#names.size}`)
    const name = this.#names.get(target)
    copy.$ref = name === undefined ? '#' : `#/$defs/${name}`
    this.#references.push({ copy, target: this.#later(target) })
    return copy
  }

  #later(part: Part): Part {
    this.#pending.push(part)
    return part
  }
}

const OMITTED: ReadonlySet<string> = new Set([...REFERENCES, '$id', '$schema', '$anchor', '$dynamicAnchor', '$recursiveAnchor'])

function addToAll(copy: Record<string, unknown>, member: unknown): void {
  copy.allOf = [...(Array.isArray(copy.allOf) ? copy.allOf : []), member]
}
