/** Arguments in YAML: read as the schema asks, and written so that they read back. */
import { type CoercedText, coerceText } from '../engine/coerce-text.ts'
import { declaredTypes, itemsOf, propertyOf } from '../engine/declared-types.ts'
import { readElements } from './element-arguments.ts'
import { readYaml, type YamlNode } from './yaml.ts'
import { resolvePlain } from './yaml-scalars.ts'

/** The JSON of the object that a mapping is; undefined for anything else. Elements are read where a model mixes the two up. */
export function readYamlArguments(body: string, schema: unknown): CoercedText | undefined {
  const text = unfence(body)
  if (text.trim() === '') return asIs('{}')
  if (text.trimStart().startsWith('<')) return readElements(trimElements(text), schema)
  const node = readYaml(text)
  if (node?.kind === 'flow') return node.json.startsWith('{') ? asIs(node.json) : undefined
  return node?.kind === 'map' ? toJson(node, schema, schema) : undefined
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
  return (fenced?.[1] ?? body).replace(/^\s*---[ \t]*\r?\n/, '')
}

function toJson(node: YamlNode, schema: unknown, root: unknown): CoercedText {
  switch (node.kind) {
    case 'map': {
      const members = [...node.entries].map(([key, value]) => {
        const { json, isCoerced } = toJson(value, propertyOf(schema, root, key), root)
        return { json: `${JSON.stringify(key)}: ${json}`, isCoerced }
      })
      return join('{', members, '}')
    }
    case 'list':
      return join(
        '[',
        node.items.map((item) => toJson(item, itemsOf(schema, root), root)),
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

function join(open: string, parts: readonly CoercedText[], close: string): CoercedText {
  return { json: open + parts.map(({ json }) => json).join(', ') + close, isCoerced: parts.some((part) => part.isCoerced) }
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
