/** Converts an element of a tree of tags to JSON: by its schema, or by its shape if there is none. */
import { type CoercedText, coerceText } from '../../engine/coerce-text.ts'
import { declaredTypes, itemsOf, propertyOf } from '../../engine/declared-types.ts'

export interface Element {
  readonly name: string
  /** All text in it that is in no child. */
  text: string
  readonly children: Element[]
}

/**
 * A leaf is read as its schema asks. Elements in a list are its items, whatever their names; in an object they are its members,
 * and a list where a name is repeated. Text among them is the member `$text`, with another `$` where that name is taken.
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
  // One of several items, each with the list's name.
  if (types.has('array') && !isBracket(trimmed)) return coerceText(text, itemsOf(schema, root), root)
  // Zeros that JSON does not allow, as a post code has them.
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

/** A name that is repeated is a list of what each is; where a list is declared, each is one of its items. */
function toMember(elements: readonly Element[], schema: unknown, root: unknown): CoercedText {
  const [first, ...others] = elements as readonly [Element, ...Element[]]
  if (others.length === 0) return toElementJson(first, schema, root)
  const isList = declaredTypes(schema, root).types.has('array')
  return toList({ name: '', text: '', children: [...elements] }, isList ? itemsOf(schema, root) : schema, root)
}

function isCoerced(read: CoercedText): boolean {
  return read.isCoerced
}
