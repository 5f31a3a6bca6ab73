/** Scalars of YAML 1.2: what a plain one means, and the text of quoted and of block ones. */
import { numberToJson } from './python-number.ts'

/** The JSON of a plain scalar that is no text, by the core schema; undefined for text, and for numbers that JSON cannot say. */
export function resolvePlain(text: string): string | undefined {
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return 'null'
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(text)) return text.toLowerCase()
  if (/^-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][-+]?\d{1,3})?$/.test(text)) return toFinite(text, text)
  if (/^(?:0o[0-7]{1,17}|0x[\da-fA-F]{1,13})$/.test(text)) return String(Number(text))
  if (/^[-+]?\d{1,400}$/.test(text)) return String(BigInt(text.replace('+', '')))
  if (/^[-+]?(?:\.\d{1,400}|\d{1,400}\.\d{0,400})(?:[eE][-+]?\d{1,3})?$/.test(text)) return numberToJson(text)
  return undefined
}

function toFinite(text: string, json: string): string | undefined {
  return Number.isFinite(Number(text)) ? json : undefined
}

/** Without a comment, and without space at its end. */
export function withoutComment(text: string): string {
  const comment = /(?:^|[ \t])#/.exec(text)
  return (comment === null ? text : text.slice(0, comment.index)).trimEnd()
}

/** Where a quoted scalar that began before this text ends: the place of its quote; -1 if not here. */
export function findQuote(text: string, quote: string, from = 0): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charAt(at)
    if (quote === '"' && unit === '\\') at++
    else if (unit === quote && (quote === '"' || text.charAt(at + 1) !== "'")) return at
    else if (unit === quote) at++
  }
  return -1
}

/** The text between quotes, line by line; undefined for an escape that there is not. */
export function readQuoted(lines: readonly string[], quote: string): string | undefined {
  const pieces: string[] = []
  let piece = lines[0] as string
  let blank = 0
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1
    const rest = isLast ? line.trimStart() : line.trim()
    if (index === 0) continue
    if (rest === '' && !isLast) {
      blank++
      continue
    }
    const isJoined = quote === '"' && blank === 0 && endsInBackslash(piece)
    pieces.push(isJoined ? piece.slice(0, -1) : piece.trimEnd() + (blank === 0 ? ' ' : '\n'.repeat(blank)))
    piece = rest
    blank = 0
  }
  const text = [...pieces, piece].join('')
  return quote === "'" ? text.replaceAll("''", "'") : unescapeDouble(text)
}

function endsInBackslash(text: string): boolean {
  let at = text.length
  while (text.charAt(at - 1) === '\\') at--
  return (text.length - at) % 2 === 1
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '0': '\0',
    a: '\x07',
    b: '\b',
    t: '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
    e: '\x1b',
    N: '\x85',
    _: '\xa0',
    L: '\u2028',
    P: '\u2029',
  }),
)

function unescapeDouble(text: string): string | undefined {
  let isKnown = true
  const plain = text.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]?))/g, (_, x, u, long, unit) => {
    const hex: string | undefined = x ?? u ?? long
    const code = hex === undefined ? -1 : Number.parseInt(hex, 16)
    if (code > 0x10ffff) isKnown = false
    else if (code >= 0) return code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code)
    else if (ESCAPES.has(unit)) return ESCAPES.get(unit) as string
    else if (unit === '' || !'"/\\ \t'.includes(unit)) isKnown = false
    return unit ?? ''
  })
  return isKnown ? plain : undefined
}

export interface BlockHeader {
  readonly isFolded: boolean
  /** Of its lines, beyond that of the line where it stands; undefined where the first line shows it. */
  readonly indent: number | undefined
  /** What becomes of line breaks at the end: `-` none, `+` all, otherwise one. */
  readonly chomping: string
}

export function readBlockHeader(text: string): BlockHeader | undefined {
  const header = /^([|>])([1-9]?)([-+]?)([1-9]?)(?:[ \t]+#.*)?[ \t]*$/.exec(text)
  if (header === null) return undefined
  const [, style, before, chomping, after] = header
  if (before && after) return undefined
  return { isFolded: style === '>', indent: Number(before || after) || undefined, chomping: chomping as string }
}

/** The text of a block scalar out of its lines, which have lost their indentation. */
export function readBlock(lines: readonly string[], { isFolded, chomping }: BlockHeader): string {
  const last = lines.findLastIndex((line) => line !== '')
  const content = lines.slice(0, last + 1)
  const text = isFolded ? fold(content) : content.join('\n')
  if (chomping === '-') return text
  if (chomping === '+') return text + '\n'.repeat(lines.length - Math.max(0, last))
  return last < 0 ? '' : `${text}\n`
}

/** One line break becomes a space, more of them one less; but not beside lines with more indentation. */
function fold(lines: readonly string[]): string {
  let text = ''
  let blank = 0
  let isBefore = true
  let wasDeeper = false
  for (const line of lines) {
    if (line === '') {
      blank++
      continue
    }
    const isDeeper = line.startsWith(' ') || line.startsWith('\t')
    if (isBefore) text = '\n'.repeat(blank)
    else if (isDeeper || wasDeeper) text += '\n'.repeat(blank + 1)
    else text += blank === 0 ? ' ' : '\n'.repeat(blank)
    text += line
    ;[isBefore, wasDeeper, blank] = [false, isDeeper, 0]
  }
  return text
}
