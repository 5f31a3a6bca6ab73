/** Arguments in YAML: read as the schema asks, and written so that they read back. */
import type { DialectPolicy } from '../dialect.ts'
import { type CoercedText, coerceText } from '../engine/coerce-text.ts'
import { declaredTypes, itemsOf, propertyOf } from '../engine/declared-types.ts'
import { withoutFence } from './code-fence.ts'
import { readElements } from './element-arguments.ts'
import type { BodyText } from './tool-elements.ts'
import { readYaml, type YamlNode } from './yaml.ts'
import { resolvePlain } from './yaml-scalars.ts'

/** The JSON of the object that a mapping is; undefined for anything else. Elements are read where a model mixes the two up. */
export function readYamlArguments(body: string, schema: unknown, repeated: Repeated = 'last'): BodyText | undefined {
  const text = unfence(body)
  if (text.trim() === '') return asIs('{}')
  if (text.trimStart().startsWith('<')) return readElements(trimElements(text), schema, repeated)
  const node = readYaml(text)
  if (node?.kind === 'flow') return node.json.startsWith('{') ? asIs(node.json) : undefined
  return node?.kind === 'map' ? toJson(node, schema, { root: schema, repeated }) : undefined
}

type Repeated = DialectPolicy['repeatedParameter']

interface Asked {
  readonly root: unknown
  readonly repeated: Repeated
}

function asIs(json: string): CoercedText {
  return { json, isCoerced: false }
}

/** Without space beside the values between tags. */
function trimElements(text: string): string {
  const parts = text.split('<').map((part) => {
    const tag = part.slice(0, part.indexOf('>') + 1)
    return tag + part.slice(tag.length).trim()
  })
  return parts.join('<')
}

/** Without a code fence around it, and without the mark of a document's beginning. */
function unfence(body: string): string {
  const fenced = /^\s*```(?:ya?ml)?[ \t]*\r?\n([\s\S]*?\n)[ \t]*```\s*$/.exec(body)
  return (fenced?.[1] ?? withoutFence(body)).replace(/^\s*---[ \t]*\r?\n/, '')
}

function toJson(node: YamlNode, schema: unknown, asked: Asked): BodyText {
  const { root } = asked
  switch (node.kind) {
    case 'map':
      return join(
        '{',
        [...node.entries].map(([key, values]) => toMember(key, values, schema, asked)),
        '}',
      )
    case 'list':
      return join(
        '[',
        node.items.map((item) => toJson(item, itemsOf(schema, root), asked)),
        ']',
      )
    case 'flow':
      return asIs(declaredTypes(schema, root).isText ? JSON.stringify(node.text) : node.json)
    case 'text': {
      // In quotes, it is text wherever text may be.
      const { types } = declaredTypes(schema, root)
      return types.size === 0 || types.has('string') ? asIs(JSON.stringify(node.text)) : fromText(node.text, schema, root)
    }
    case 'plain':
      return plainToJson(node.text, schema, root)
  }
}

function toMember(key: string, values: readonly YamlNode[], schema: unknown, asked: Asked): BodyText {
  const of = propertyOf(schema, asked.root, key)
  const member = `${JSON.stringify(key)}: `
  if (values.length > 1 && declaredTypes(of, asked.root).types.has('array')) {
    const list = toJoined(values, of, asked)
    return { ...list, json: member + list.json }
  }
  const read = values.map((value) => toJson(value, of, asked))
  const kept = asked.repeated === 'list' && read.length > 1 ? join('[', read, ']') : read.at(asked.repeated === 'first' ? 0 : -1)
  return { ...(kept as BodyText), json: `${member}${kept?.json}`, ...(read.length > 1 && { isRepeated: true }) }
}

/** One list of all values: lists give their items, and any other value is one. */
function toJoined(values: readonly YamlNode[], schema: unknown, asked: Asked): BodyText {
  const read = values.map((value) => {
    const list = toJson(value, schema, asked)
    if (!list.json.startsWith('[')) return toJson(value, itemsOf(schema, asked.root), asked)
    return { ...list, json: list.json.slice(1, -1).trim() }
  })
  return join(
    '[',
    read.filter(({ json }) => json !== ''),
    ']',
  )
}

function join(open: string, parts: readonly BodyText[], close: string): BodyText {
  return {
    json: open + parts.map(({ json }) => json).join(', ') + close,
    isCoerced: parts.some((part) => part.isCoerced),
    isRepeated: parts.some((part) => part.isRepeated),
  }
}

/** What is in quotes and is no text after all. */
function fromText(text: string, schema: unknown, root: unknown): CoercedText {
  const { json } = coerceText(text, schema, root)
  return { json, isCoerced: !json.startsWith('"') }
}

function plainToJson(text: string, schema: unknown, root: unknown): CoercedText {
  const { types, isText } = declaredTypes(schema, root)
  const resolved = isText ? undefined : resolvePlain(text)
  if (types.size === 0) return asIs(resolved ?? JSON.stringify(text))
  const read = coerceText(resolved ?? text, schema, root)
  return read.json.startsWith('"') ? asIs(JSON.stringify(text)) : read
}

/** One line or more for each argument, a line break before each. `isUnsafe` says what must not stand in it as it is. */
export function formatYaml(args: Readonly<Record<string, unknown>>, isUnsafe: (text: string) => boolean, indent = ''): string {
  return Object.entries(args)
    .map(([key, value]) => {
      const name = isPlain(key) ? key : toQuoted(key)
      return `\n${indent}${name}:${formatValue(value, isUnsafe, indent)}`
    })
    .join('')
}

/** Deeper values are written as JSON. */
const DEEPEST_INDENT = 8

function formatValue(value: unknown, isUnsafe: (text: string) => boolean, indent: string): string {
  if (typeof value === 'string') return ` ${formatText(value, isUnsafe, indent)}`
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item !== 'object' || item === null))
    return value.map((item) => `\n${indent}  - ${typeof item === 'string' && isPlain(item) ? item : toQuoted(item)}`).join('')
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  if (isMap && indent.length < DEEPEST_INDENT) return formatYaml(value as Record<string, unknown>, isUnsafe, `${indent}  `)
  return ` ${toQuoted(value)}`
}

function formatText(text: string, isUnsafe: (text: string) => boolean, indent: string): string {
  if (isPlain(text)) return text
  if (!text.includes('\n') || !/^[^\s]/.test(text) || !isPrintable(text) || isUnsafe(text)) return toQuoted(text)
  let end = 0
  while (text.charAt(text.length - 1 - end) === '\n') end++
  const lines = (end === 0 ? text : text.slice(0, -1)).split('\n').map((line) => (line === '' ? '' : `${indent}  ${line}`))
  return `|${['-', ''][end] ?? '+'}\n${lines.join('\n')}`
}

/** A text that needs no quotes wherever it stands, and is nothing else. */
function isPlain(text: string): boolean {
  const isWord = /^[\p{L}_/](?:[\p{L}\p{N}_/.,;()@=+!?$% -]*[\p{L}\p{N}_/.;()@=+!?$%-])?$/u.test(text)
  return isWord && !/^(?:true|false|null|none|yes|no|on|off|y|n)$/i.test(text)
}

function isPrintable(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(text) && text.isWellFormed()
}

/** JSON is YAML; without `<` it holds no tag. */
function toQuoted(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
