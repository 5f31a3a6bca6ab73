/** Resolves a schema's references within the same document: JSON pointers, `$anchor`, `$id`, and dynamic references. */
import { ToolError } from '../../../errors.ts'
import { nearestNames } from '../../../nearest-names.ts'
import { segmentsOf } from '../../pointer.ts'
import { isSchemaNode, type SchemaNode } from '../../schema.ts'
import { isOldDraft } from '../ajv/draft.ts'
import { isEqual } from '../equal.ts'
import { childrenOf, isDefinitions } from '../subschemas.ts'

/** A part of a document that has its own URI: the document itself, or a subschema with `$id`. */
export interface Resource {
  readonly uri: string
  readonly root: SchemaNode
  /** True for draft 7 and earlier drafts, where a `$ref` replaces the keywords beside it. */
  readonly isOld: boolean
  readonly anchors: Map<string, Part>
  /** Dynamic anchors. Named ones are also in `anchors`. A `$recursiveAnchor` has an empty name. */
  readonly dynamicAnchors: Map<string, Part>
}

/** A subschema, and the resource that contains it. */
export interface Part {
  readonly node: SchemaNode
  readonly resource: Resource
  /** The resource around the part. It differs from `resource` if the part has its own `$id`. */
  readonly outer: Resource | undefined
  readonly pointer: string
  readonly targets: Map<ReferenceKeyword, Target>
  /**
   * The name in the part's `$dynamicRef`, if several resources have this dynamic anchor. Each check then looks for the outermost of them.
   */
  dynamicName?: string
}

export type Target = Part | boolean

export const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const
export type ReferenceKeyword = (typeof REFERENCES)[number]

/** True if the part's `$ref` replaces its other keywords, as in old drafts. References to its definitions still work. */
export function isOnlyReference({ node, resource }: Part): boolean {
  return resource.isOld && typeof node.$ref === 'string'
}

/**
 * Throws `invalid_definition` for a reference without a target in the schema, because documents are never fetched. Also throws if two
 * different schemas have the same `$id`.
 */
export function assertReferences(schema: object, subject: string): void {
  documentOf(schema, subject)
}

const documents = new WeakMap<object, SchemaDocument>()

/** Reads a document at its first use. `subschemasOf` limits the depth of the schema. Throws like `assertReferences`. */
export function documentOf(schema: object, subject = 'Invalid schema: it'): SchemaDocument {
  const known = documents.get(schema)
  if (known !== undefined) return known
  const document = new SchemaDocument(schema as SchemaNode, subject)
  documents.set(schema, document)
  return document
}

/** True for a subschema with a reference, an `$id` or an anchor. */
export function isLinked(node: SchemaNode): boolean {
  return LINKS.some((keyword) => node[keyword] !== undefined)
}

const LINKS = [...REFERENCES, '$id', '$anchor', '$dynamicAnchor', '$recursiveAnchor']

export class SchemaDocument {
  readonly root: Part
  /** True if a reference may have different targets, depending on the path to the reference. */
  readonly isDynamic: boolean
  /** All parts. The list grows while references are resolved, because a reference may point into an unknown keyword. */
  readonly #parts: Part[] = []
  readonly #byNode = new Map<SchemaNode, Part[]>()
  readonly #resources = new Map<string, Resource>()
  readonly #roots = new Map<SchemaNode, Resource>()
  readonly #subject: string

  constructor(schema: SchemaNode, subject: string) {
    this.#subject = subject
    this.root = this.#read(schema, undefined, '')
    for (const part of this.#parts) this.#resolveAll(part)
    this.#assertEnds()
    this.isDynamic = this.#parts.some(({ dynamicName }) => dynamicName !== undefined)
  }

  /** Returns the part for a subschema in this resource. */
  partOf(node: SchemaNode, outer: Resource): Part {
    return this.#read(node, outer, '')
  }

  #read(node: SchemaNode, outer: Resource | undefined, pointer: string): Part {
    const known = this.#byNode.get(node)
    const same = known?.find((part) => part.outer === outer)
    if (same !== undefined) return same
    const part: Part = { node, outer, pointer, resource: this.#resourceFor(node, outer, pointer), targets: new Map() }
    this.#parts.push(part)
    if (known === undefined) this.#byNode.set(node, [part])
    else known.push(part)
    nameAnchors(part)
    const isOnly = isOnlyReference(part)
    for (const { child, keyword, at } of childrenOf(node))
      if (!isOnly || isDefinitions(keyword)) this.#read(child, part.resource, `${pointer}/${at}`)
    return part
  }

  #resourceFor(node: SchemaNode, outer: Resource | undefined, pointer: string): Resource {
    const { $id, $schema } = node
    const id = outer?.isOld && node.$ref !== undefined ? undefined : $id
    const uri = typeof id === 'string' ? uriOf(id, outer?.uri ?? BASE)?.uri : undefined
    if (outer !== undefined && (uri === undefined || uri === outer.uri)) return outer
    const resource: Resource = {
      uri: uri ?? BASE,
      root: node,
      isOld: typeof $schema === 'string' ? isOldDraft($schema) : (outer?.isOld ?? false),
      anchors: new Map(),
      dynamicAnchors: new Map(),
    }
    const known = this.#resources.get(resource.uri)
    if (known === undefined) this.#resources.set(resource.uri, resource)
    else if (!isEqual(known.root, node))
      throw this.#error(`contains another schema with the $id "${$id}"`, `${pointer}/$id`, 'Give each schema its own $id.')
    this.#roots.set(node, resource)
    return resource
  }

  #resolveAll(part: Part): void {
    const { node, pointer, resource, targets } = part
    for (const keyword of REFERENCES) {
      const reference = node[keyword]
      if (reference === undefined) continue
      if (keyword !== '$ref' && isOnlyReference(part)) continue
      if (typeof reference !== 'string')
        throw this.#error(
          `has the value ${JSON.stringify(reference)} for ${keyword}`,
          pointer,
          'Write a string, e.g. "#/$defs/city".',
        )
      const { target, fix, name } = this.#find(reference, resource)
      if (target === undefined)
        throw this.#error(`refers to ${JSON.stringify(reference)}`, `${pointer}/${keyword}`, this.#meantBy(reference) ?? fix)
      targets.set(keyword, target)
      const dynamicName = keyword === '$recursiveRef' ? '' : name
      if (keyword === '$ref' || dynamicName === undefined || typeof target === 'boolean') continue
      if (target.resource.dynamicAnchors.get(dynamicName) !== target) continue
      let anchored = 0
      for (const { dynamicAnchors } of this.#resources.values()) if (dynamicAnchors.has(dynamicName)) anchored++
      if (anchored > 1) part.dynamicName = dynamicName
    }
  }

  /**
   * Refuses references that only lead back to themselves, because a validator would follow them forever. All schemas in `allOf` apply to the
   * same value, so a reference in them can lead back too.
   */
  #assertEnds(): void {
    const ended = new Set<Part>()
    const open = new Set<Part>()
    for (const start of this.#parts) {
      const stack = [start]
      for (let part = stack.at(-1); part !== undefined; part = stack.at(-1)) {
        if (ended.has(part) || open.delete(part)) {
          ended.add(part)
          stack.pop()
          continue
        }
        open.add(part)
        for (const next of this.#alsoRequired(part)) {
          if (open.has(next))
            throw this.#error(
              'has a reference that only leads back to itself',
              part.pointer,
              'Write the intended schema in its place.',
            )
          if (!ended.has(next)) stack.push(next)
        }
      }
    }
  }

  /** Returns the parts that a value must match to match this part. */
  #alsoRequired(part: Part): readonly Part[] {
    const found: Part[] = []
    if (!isOnlyReference(part))
      for (const { child, keyword } of childrenOf(part.node))
        if (keyword === 'allOf') found.push(this.#read(child, part.resource, part.pointer))
    const target = targetOf(part)
    if (target !== undefined) found.push(target)
    return found
  }

  /** Resolves a reference. `name` is set if it points to an anchor. */
  #find(
    reference: string,
    from: Resource,
  ): { readonly target: Target | undefined; readonly fix: string; readonly name?: string } {
    const isLocal = reference.startsWith('#')
    const { uri, fragment } =
      (isLocal ? { uri: from.uri, fragment: decoded(reference.slice(1)) } : uriOf(reference, from.uri)) ?? {}
    const resource = isLocal ? from : this.#resources.get(uri ?? '')
    if (resource === undefined) return { target: undefined, fix: REMOTE }
    if (fragment === undefined) return { target: undefined, fix: DANGLING }
    if (fragment === '' || fragment.startsWith('/')) return { target: this.#at(resource, fragment), fix: DANGLING }
    return { target: resource.anchors.get(fragment), fix: DANGLING, name: fragment }
  }

  /** Suggests a reference to the definition, anchor or `$id` with the most similar name. */
  #meantBy(reference: string): string | undefined {
    const names = new Set<string>()
    for (const { node, pointer } of this.#parts) {
      if (IS_DEFINITION.test(pointer)) names.add(`#${pointer}`)
      for (const anchor of [node.$anchor, node.$dynamicAnchor]) if (typeof anchor === 'string') names.add(`#${anchor}`)
      if (typeof node.$id === 'string') names.add(node.$id)
    }
    const [nearest] = nearestNames(reference, names, 1)
    return nearest === undefined || nearest === reference ? undefined : `Did you mean ${JSON.stringify(nearest)}?`
  }

  #at(start: Resource, pointer: string): Target | undefined {
    let value: unknown = start.root
    let resource = start
    for (const key of segmentsOf(pointer)) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
      value = (value as SchemaNode)[key]
      resource = (isSchemaNode(value) && this.#roots.get(value)) || resource
    }
    if (!isSchemaNode(value)) return typeof value === 'boolean' ? value : undefined
    const known = this.#byNode.get(value)?.find((part) => part.resource === resource)
    const [from] = this.#byNode.get(start.root) ?? []
    return known ?? this.#read(value, resource, `${from?.pointer ?? ''}${pointer}`)
  }

  #error(words: string, pointer: string, fix: string): ToolError {
    return new ToolError('invalid_definition', `${this.#subject} ${words} at ${pointer || 'its root'}. ${fix}`)
  }
}

/** Returns the part that a reference points to, if it is the same for every path to the reference. */
function targetOf({ targets, dynamicName }: Part): Part | undefined {
  const dynamic = dynamicName === undefined ? (targets.get('$dynamicRef') ?? targets.get('$recursiveRef')) : undefined
  const target = targets.get('$ref') ?? dynamic
  return typeof target === 'object' ? target : undefined
}

const IS_DEFINITION = /^\/(?:\$defs|definitions)\/[^/]+$/

/** Base URI for relative references. The scheme is made up. */
const BASE = 'schema:/'
const REMOTE = 'Documents are never fetched: copy the schema into $defs, and keep its $id or refer to it as "#/$defs/name".'
const DANGLING = 'The schema has no such target. Add it to $defs, and refer to it as "#/$defs/name".'

function uriOf(reference: string, base: string): { readonly uri: string; readonly fragment: string | undefined } | undefined {
  try {
    const { href, hash } = new URL(reference, base)
    return { uri: hash === '' ? href.replace(/#$/, '') : href.slice(0, -hash.length), fragment: decoded(hash.slice(1)) }
  } catch {
    return undefined
  }
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

function nameAnchors(part: Part): void {
  const { node, resource } = part
  const { $id, $anchor, $dynamicAnchor, $recursiveAnchor } = node
  if (isOnlyReference(part)) return
  const { anchors, dynamicAnchors } = resource
  // Before draft 2019-09, the fragment of an `$id` served as an anchor.
  const fragment = typeof $id === 'string' && $id.includes('#') ? uriOf($id, resource.uri)?.fragment : undefined
  for (const name of [fragment, $anchor, $dynamicAnchor]) if (typeof name === 'string' && name !== '') anchors.set(name, part)
  if (typeof $dynamicAnchor === 'string') dynamicAnchors.set($dynamicAnchor, part)
  if ($recursiveAnchor === true && resource.root === node) dynamicAnchors.set('', part)
}
