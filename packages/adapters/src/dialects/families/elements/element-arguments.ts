/**
 * Reads arguments in the form of elements: `<city>Rome</city><days>3</days>`. An object is nested elements, and a list is
 * repeated elements. Text may contain character references such as `&lt;`.
 */
import type { DialectPolicy } from '../../define/dialect.ts'
import { type CoercedText, coerceText } from '../../engine/coerce-text.ts'
import { declaredTypes, itemsOf, propertyOf } from '../../engine/declared-types.ts'
import type { BodyText } from './tool-elements.ts'

/** Maximum nesting depth of elements. */
const MAX_DEPTH = 32

interface Element {
  readonly name: string
  /** Text between the element's tags. */
  readonly inner: string
  /** True if the element's end tag is missing. */
  readonly isOpen: boolean
}

/**
 * Converts elements to the JSON of an object with one property per element name. Returns undefined if there is anything other
 * than elements. `repeated` says how to handle a repeated parameter that isn't declared as an array. Default: `list`, because in
 * this format repeated elements are an array.
 */
export function readElements(
  body: string,
  schema: unknown,
  repeated: DialectPolicy['repeatedParameter'] = 'list',
): BodyText | undefined {
  const elements = splitElements(body, schema, schema)
  return elements && toObject(elements, schema, schema, 0, repeated)
}

/**
 * Splits text into elements. Returns undefined if there is anything else. The schema decides which end tag closes an element,
 * because a string may contain tags.
 */
function splitElements(text: string, schema: unknown, root: unknown): readonly Element[] | undefined {
  const elements: Element[] = []
  let at = skipSpace(text, 0)
  while (at < text.length) {
    const tag = /<([^<>]{1,256})>/y
    tag.lastIndex = at
    const written = tag.exec(text)?.[1]
    const name = written && /^\s*([^\s/!?&'"=]+)(?:\s[^/]*)?(\/?)\s*$/.exec(written)
    if (!name) return undefined
    const start = at + written.length + 2
    const isEmpty = name[2] === '/'
    const end = isEmpty ? { inner: start, next: start, isOpen: false } : findEnd(text, start, name[1] as string, schema, root)
    if (end === undefined) return undefined
    elements.push({ name: name[1] as string, inner: text.slice(start, end.inner), isOpen: end.isOpen })
    at = skipSpace(text, end.next)
  }
  return elements
}

/**
 * Finds the end tag of an element. A string may contain tags, even with its own name, so it ends at the first end tag that is
 * followed by another tag or by nothing. Any other value ends at the matching end tag. Without such a tag, the value is the rest
 * of the text, if that contains no angle brackets.
 */
function findEnd(text: string, start: number, name: string, schema: unknown, root: unknown) {
  const isText = declaredTypes(propertyOf(schema, root, name), root).isText
  const tags = new RegExp(`<\\s{0,8}(/?)\\s{0,8}${escapeRegExp(name)}\\s{0,8}>`, 'g')
  tags.lastIndex = start
  let depth = 1
  let hasOwn = false
  for (let tag = tags.exec(text); tag !== null; tag = tags.exec(text)) {
    const isEnd = tag[1] === '/'
    if (!isText) depth += isEnd ? -1 : 1
    const next = tag.index + tag[0].length
    const isLast = isText ? isEnd && '<'.startsWith(text.charAt(skipSpace(text, next))) : depth === 0
    // Open tags and end tags don't balance, so some text between them is missing.
    if (isLast && isText && isMixedUp(text.slice(start, tag.index), name, hasOwn && tags)) return undefined
    if (isLast) return { inner: tag.index, next, isOpen: false }
    hasOwn = true
  }
  // The angle bracket is the rest of a broken tag.
  if (/[<>]/.test(text.slice(start))) return undefined
  // The line break belongs to the end tag of the call, not to the value.
  const lineBreak = /\r?\n\s*$/.exec(text.slice(start))
  return { inner: lineBreak === null ? text.length : start + lineBreak.index, next: text.length, isOpen: true }
}

/**
 * Returns true if the tags of this element in its text don't balance, or if the text contains something like the rest of its end
 * tag.
 * @param tags Matches the tags of this element. False if the text has none.
 */
function isMixedUp(text: string, name: string, tags: RegExp | false): boolean {
  if (tags && !isBalanced(text, tags)) return true
  if (!text.includes('</') || name.length < 3) return false
  const opened = new Set([...text.matchAll(/<([^\s<>/]+)/g)].map(([, tag]) => tag))
  const isLike = (tag: string) => tag.startsWith(name.slice(0, 2)) || tag.endsWith(name.slice(-2))
  return [...text.matchAll(/<\/([^\s<>]+)/g)].some(([, tag = '']) => !opened.has(tag) && isLike(tag))
}

/** Returns true if each end tag of this element in the text has its own open tag before it, and each open tag has an end tag. */
function isBalanced(text: string, tags: RegExp): boolean {
  let depth = 0
  for (const [, end] of text.matchAll(new RegExp(tags))) {
    depth += end === '/' ? -1 : 1
    if (depth < 0) return false
  }
  return depth === 0
}

/** Converts elements to the JSON of an object. Inside a parameter, repeated elements always form a list. */
function toObject(
  elements: readonly Element[],
  schema: unknown,
  root: unknown,
  depth: number,
  repeated: DialectPolicy['repeatedParameter'] = 'list',
): BodyText | undefined {
  const members = new Map<string, string[]>()
  for (const { name, inner } of elements) {
    const all = members.get(name) ?? []
    all.push(inner)
    members.set(name, all)
  }
  const pairs: string[] = []
  let isCoerced = false
  let isRepeated = false
  for (const [name, all] of members) {
    const of = propertyOf(schema, root, name)
    const isAgain = all.length > 1 && !declaredTypes(of, root).types.has('array')
    if (isAgain && repeated === 'malformed' && all.some((inner) => inner !== all[0])) return undefined
    const kept = isAgain && repeated !== 'list' ? all.slice(...(repeated === 'first' ? [0, 1] : [-1])) : all
    const items = isAgain ? of : itemsOf(of, root)
    const value = kept.length === 1 ? toValue(kept[0] as string, of, root, depth + 1) : toList(kept, items, root, depth + 1)
    if (value === undefined) return undefined
    pairs.push(`${JSON.stringify(name)}: ${value.json}`)
    isCoerced ||= value.isCoerced
    isRepeated ||= isAgain
  }
  return { json: `{${pairs.join(', ')}}`, isCoerced, isRepeated, isOpen: elements.some(({ isOpen }) => isOpen) }
}

function toValue(inner: string, schema: unknown, root: unknown, depth: number): CoercedText | undefined {
  const { types, isText } = declaredTypes(schema, root)
  const elements = isText || depth > MAX_DEPTH || !inner.includes('<') ? undefined : splitElements(inner, schema, root)
  if (elements !== undefined && elements.length > 0) {
    if (!types.has('array') || types.has('object')) return toObject(elements, schema, root, depth)
    return toList(
      elements.map((element) => element.inner),
      itemsOf(schema, root),
      root,
      depth,
    )
  }
  const text = toText(inner)
  if (!types.has('array') || types.has('string')) return coerceText(text, schema, root)
  if (text.trim() === '') return { json: '[]', isCoerced: true }
  const read = coerceText(text, schema, root)
  // A list with a single item may be written as just the item.
  return read.json.startsWith('"') ? toList([inner], itemsOf(schema, root), root, depth) : read
}

function toList(items: readonly string[], of: unknown, root: unknown, depth: number): CoercedText | undefined {
  const values: CoercedText[] = []
  for (const inner of items) {
    const value = toValue(inner, of, root, depth + 1)
    if (value === undefined) return undefined
    values.push(value)
  }
  return { json: `[${values.map(({ json }) => json).join(', ')}]`, isCoerced: values.some((value) => value.isCoerced) }
}

/** Decodes character references, except in CDATA sections. */
function toText(inner: string): string {
  return inner
    .split('<![CDATA[')
    .map((part, index) => {
      const end = index === 0 ? -1 : part.indexOf(']]>')
      return end < 0 ? unescapeXml(part) : part.slice(0, end) + unescapeXml(part.slice(end + 3))
    })
    .join('')
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++
  return at
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|-]/g, '\\$&')
}

/** Decodes character references such as `&lt;` and `&#x41;`. Leaves unknown ones unchanged. */
export function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return NAMED.get(name) ?? all
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}

const NAMED: ReadonlyMap<string, string> = new Map<string, string>([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])
