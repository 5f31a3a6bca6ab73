/** Reads the YAML that models write as arguments: nested mappings and lists, scalars of every style, JSON. No anchors, no tags. */
import { recoverExactly } from '../engine/exact-json.ts'
import { JsonScanner } from '../engine/json-scanner.ts'
import { findQuote, readBlock, readBlockHeader, readQuoted, withoutComment } from './yaml-scalars.ts'

export type YamlNode =
  /** What it means depends on what is asked for. */
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  /** A list or mapping in brackets: as it was written, and as JSON. */
  | { readonly kind: 'flow'; readonly text: string; readonly json: string }
  /** YAML has each key once; a key that a model repeats has several values. */
  | { readonly kind: 'map'; readonly entries: ReadonlyMap<string, readonly YamlNode[]> }
  | { readonly kind: 'list'; readonly items: readonly YamlNode[] }

const MAX_DEPTH = 64

/** One value; undefined where a text is no YAML, or more of it than is read here. Linear in the text. */
export function readYaml(text: string): YamlNode | undefined {
  const reader = new YamlReader(text.split('\n'))
  const node = reader.read(0, 0)
  return node !== undefined && reader.peek() === undefined ? node : undefined
}

interface Line {
  readonly indent: number
  /** Behind the indentation. */
  readonly text: string
}

class YamlReader {
  readonly #lines: string[]
  #at = 0

  constructor(lines: string[]) {
    this.#lines = lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  }

  /** The next line with anything in it, comments aside; not taken. */
  peek(): Line | undefined {
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = toLine(this.#lines[this.#at] as string)
      if (line.text.trim() !== '' && !line.text.startsWith('#')) return line
    }
    return undefined
  }

  /** What begins on the next line. */
  read(least: number, depth: number): YamlNode | undefined {
    const line = this.peek()
    if (line === undefined || line.indent < least) return EMPTY
    if (depth > MAX_DEPTH || line.text.startsWith('\t')) return undefined
    if (isItem(line.text)) return this.#readList(line.indent, depth)
    if (splitKey(line.text) !== undefined) return this.#readMap(line.indent, depth)
    this.#at++
    return this.#readValue(line.text, least - 1, depth, false)
  }

  #readMap(indent: number, depth: number): YamlNode | undefined {
    const entries = new Map<string, YamlNode[]>()
    for (let line = this.peek(); line !== undefined && line.indent >= indent; line = this.peek()) {
      const key = line.indent === indent ? splitKey(line.text) : undefined
      if (key === undefined) return undefined
      this.#at++
      const value = this.#readValue(key.rest, indent, depth, true)
      if (value === undefined) return undefined
      const values = entries.get(key.name)
      if (values === undefined) entries.set(key.name, [value])
      else values.push(value)
    }
    return { kind: 'map', entries }
  }

  #readList(indent: number, depth: number): YamlNode | undefined {
    const items: YamlNode[] = []
    for (let line = this.peek(); line !== undefined && line.indent >= indent; line = this.peek()) {
      // A list may stand as deep as the key that it belongs to, and the next key comes behind it.
      if (line.indent === indent && !isItem(line.text)) break
      if (line.indent > indent) return undefined
      const item = this.#readItem(line, depth)
      if (item === undefined) return undefined
      items.push(item)
    }
    return { kind: 'list', items }
  }

  #readItem({ indent, text }: Line, depth: number): YamlNode | undefined {
    const rest = text.slice(1).trimStart()
    if (isItem(rest) || splitKey(rest) !== undefined) {
      const inner = indent + text.length - rest.length
      this.#lines[this.#at] = ' '.repeat(inner) + rest
      return this.read(inner, depth + 1)
    }
    this.#at++
    return this.#readValue(rest, indent, depth, false)
  }

  /** What stands behind a key or a dash, and on the lines below it. */
  #readValue(rest: string, indent: number, depth: number, isOfKey: boolean): YamlNode | undefined {
    const first = rest.charAt(0)
    if (first === '' || first === '#') {
      const line = this.peek()
      const isBelow = line !== undefined && (line.indent > indent || (isOfKey && line.indent === indent && isItem(line.text)))
      return isBelow ? this.read(line.indent, depth + 1) : EMPTY
    }
    if (first === '|' || first === '>') return this.#readBlock(rest, indent)
    if (first === '"' || first === "'") return this.#readQuoted(rest, first)
    if (first === '{' || first === '[') return this.#readFlow(rest)
    return '&*!'.includes(first) ? undefined : this.#readPlain(rest, indent)
  }

  #readBlock(rest: string, indent: number): YamlNode | undefined {
    const header = readBlockHeader(rest)
    if (header === undefined) return undefined
    let inner = header.indent === undefined ? undefined : indent + header.indent
    const lines: string[] = []
    for (; this.#at < this.#lines.length; this.#at++) {
      const raw = this.#lines[this.#at] as string
      const line = toLine(raw)
      // The text ends with a line break that is no line.
      if (line.text === '' && this.#at === this.#lines.length - 1) break
      if (line.text !== '') {
        if (line.indent < (inner ?? indent + 1)) break
        inner ??= line.indent
      }
      lines.push(raw.slice(inner ?? raw.length))
    }
    return { kind: 'text', text: readBlock(lines, header) }
  }

  #readQuoted(rest: string, quote: string): YamlNode | undefined {
    const lines: string[] = []
    let line = rest.slice(1)
    let end = findQuote(line, quote)
    while (end < 0) {
      lines.push(line)
      if (this.#at === this.#lines.length) return undefined
      line = this.#lines[this.#at++] as string
      end = findQuote(line, quote)
    }
    lines.push(line.slice(0, end))
    const text = withoutComment(line.slice(end + 1)) === '' ? readQuoted(lines, quote) : undefined
    return text === undefined ? undefined : { kind: 'text', text }
  }

  #readFlow(rest: string): YamlNode | undefined {
    const scanner = new JsonScanner()
    const lines: string[] = []
    let line = rest
    let end = scanner.push(`${line}\n`, 0)
    while (end < 0) {
      lines.push(line)
      if (this.#at === this.#lines.length) return undefined
      line = this.#lines[this.#at++] as string
      end = scanner.push(`${line}\n`, 0)
    }
    // A text that only begins with brackets.
    if (withoutComment(line.slice(end)) !== '')
      return lines.length === 0 ? this.#readPlain(rest, Number.POSITIVE_INFINITY) : undefined
    const text = [...lines, line.slice(0, end)].join('\n')
    const json = recoverExactly(text)?.json
    return json === undefined ? undefined : { kind: 'flow', text, json }
  }

  #readPlain(rest: string, indent: number): YamlNode | undefined {
    const pieces = [withoutComment(rest)]
    let blank = 0
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = toLine(this.#lines[this.#at] as string)
      if (line.text.trim() === '') {
        blank++
        continue
      }
      if (line.indent <= indent || line.text.startsWith('#')) break
      if (splitKey(line.text) !== undefined) return undefined
      pieces.push(blank === 0 ? ' ' : '\n'.repeat(blank), withoutComment(line.text))
      blank = 0
    }
    return { kind: 'plain', text: pieces.join('') }
  }
}

const EMPTY: YamlNode = { kind: 'plain', text: '' }

function toLine(raw: string): Line {
  let indent = 0
  while (raw.charCodeAt(indent) === 0x20) indent++
  return { indent, text: raw.slice(indent) }
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ')
}

/** A key and what follows its colon; undefined where there is no key. */
function splitKey(text: string): { readonly name: string; readonly rest: string } | undefined {
  const first = text.charAt(0)
  if (first === '"' || first === "'") {
    const end = findQuote(text, first, 1)
    const rest = end < 0 ? undefined : /^[ \t]*:(?:[ \t]+(.*))?$/s.exec(text.slice(end + 1))
    const name = rest && readQuoted([text.slice(1, end)], first)
    return name == null ? undefined : { name, rest: rest?.[1] ?? '' }
  }
  if ('[{|>&*!%@`#,?'.includes(first)) return undefined
  const colon = /:(?=[ \t]|$)/.exec(text)
  if (colon === null || /[ \t]#/.test(text.slice(0, colon.index))) return undefined
  return { name: text.slice(0, colon.index).trimEnd(), rest: text.slice(colon.index + 1).trimStart() }
}
