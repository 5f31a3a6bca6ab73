/** Converts elements to JSON, according to their schema or, without one, to their content. */
import { type CoercedText, coerceText } from '../../engine/coerce-text.ts'
import { declaredTypes, itemsOf, propertyOf } from '../../engine/declared-types.ts'

export interface Element {
  readonly name: string
  /** Text of the element, without its child elements. */
  text: string
  readonly children: Element[]
}

/**
 * Converts an element to JSON. Text without child elements is coerced to the schema. If a list is declared, child elements become
 * its items, whatever their names. Otherwise, they become members of an object, and several with the same name become a list.
 * Text between them becomes the member `$text`, or `$$text` if that name is taken.
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
  // The list is written as several elements with its name. This is one of them, so its text is an item.
  if (types.has('array') && !isBracket(trimmed)) return coerceText(text, itemsOf(schema, root), root)
  // JSON doesn't allow leading zeros, which occur in postal codes, for example.
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

/**
 * Converts all elements with the same name to one member. Several elements become a list. If the schema declares a list, each
 * element is an item.
 */
function toMember(elements: readonly Element[], schema: unknown, root: unknown): CoercedText {
  const [first, ...others] = elements as readonly [Element, ...Element[]]
  if (others.length === 0) return toElementJson(first, schema, root)
  const isList = declaredTypes(schema, root).types.has('array')
  return toList({ name: '', text: '', children: [...elements] }, isList ? itemsOf(schema, root) : schema, root)
}

function isCoerced(read: CoercedText): boolean {
  return read.isCoerced
}
