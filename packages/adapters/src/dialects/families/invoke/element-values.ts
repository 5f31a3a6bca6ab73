/** Converts an element of a tree of tags to JSON, by its schema, or by its shape without a schema. */
import { type CoercedText, coerceText } from '../../engine/coerce-text.ts'
import { declaredTypes, itemsOf, propertyOf } from '../../engine/declared-types.ts'

export interface Element {
  readonly name: string
  /** Text of the element itself, outside its children. */
  text: string
  readonly children: Element[]
}

/**
 * Converts a leaf by its schema. Elements in a list become its items, whatever their names. In an object they become its members, or lists
 * if a name is repeated. Text among them becomes the member `$text`, with another `$` if that name is taken.
 */
export function toElementJson(element: Element, schema: unknown, root: unknown): CoercedText {
  const { types } = declaredTypes(schema, root)
  if (element.children.length === 0) return toLeaf(element.text, schema, root, types)
  if (types.has('array') && !types.has('object')) return toList(element, itemsOf(schema, root), root)
  return toObject(element, schema, root)
}

function toLeaf(text: string, schema: unknown, root: unknown, types: ReadonlySet<string>): CoercedText {
  if (types.has('string') || types.size === 0) return coerceText(text, schema, root)
  const trimmed = text.trim()
  const isContainer = types.has('object') || types.has('array')
  if (trimmed === '' && isContainer) return { json: types.has('object') ? '{}' : '[]', isCoerced: true }
  if (trimmed === 'null') return { json: 'null', isCoerced: !types.has('null') }
  // One of several items, each of which has the list's name.
  if (types.has('array') && !isBracket(trimmed)) return coerceText(text, itemsOf(schema, root), root)
  // Leading zeros, which JSON doesn't allow, as in a postcode.
  return coerceText(isContainer ? text : text.replace(/^(\s*-?)0+(?=\d)/, '$1'), schema, root)
}

function isBracket(text: string): boolean {
  return text.startsWith('[') || text.startsWith('{')
}

function toList({ text, children }: Element, items: unknown, root: unknown): CoercedText {
  const read = children.map((child) => toElementJson(child, items, root))
  return { json: `[${read.map(({ json }) => json).join(', ')}]`, isCoerced: text.trim() !== '' || read.some(isCoerced) }
}

function toObject({ text, children }: Element, schema: unknown, root: unknown): CoercedText {
  const members = new Map<string, Element[]>()
  for (const child of children) {
    const same = members.get(child.name)
    if (same === undefined) members.set(child.name, [child])
    else same.push(child)
  }
  const read = [...members].map(([name, elements]) => ({ name, ...toMember(elements, propertyOf(schema, root, name), root) }))
  if (text.trim() !== '') {
    let name = '$text'
    while (members.has(name)) name = `$${name}`
    read.push({ name, json: JSON.stringify(text), isCoerced: false })
  }
  return {
    json: `{${read.map(({ name, json }) => `${JSON.stringify(name)}: ${json}`).join(', ')}}`,
    isCoerced: read.some(isCoerced),
  }
}

/** A repeated name becomes a list. If a list is declared, each element is one of its items. */
function toMember(elements: readonly Element[], schema: unknown, root: unknown): CoercedText {
  const [first, ...others] = elements as readonly [Element, ...Element[]]
  if (others.length === 0) return toElementJson(first, schema, root)
  const isList = declaredTypes(schema, root).types.has('array')
  return toList({ name: '', text: '', children: [...elements] }, isList ? itemsOf(schema, root) : schema, root)
}

function isCoerced(read: CoercedText): boolean {
  return read.isCoerced
}
