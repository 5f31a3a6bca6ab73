/** A regular expression as a tree of pieces, read in one pass: enough to see what is repeated, and what stands between. */

export type Piece = Single | Group

export interface Single {
  readonly kind: 'literal' | 'class' | 'reference' | 'anchor'
  readonly source: string
  readonly times: Times
}

export interface Group {
  readonly kind: 'group' | 'lookahead' | 'lookbehind'
  /** Without its parentheses. */
  readonly source: string
  /** True when a back-reference may stand for what it took. */
  readonly isCapturing: boolean
  readonly branches: readonly (readonly Piece[])[]
  readonly times: Times
}

/** How often a piece may stand in a row. */
export interface Times {
  readonly min: number
  readonly max: number
}

export function isGroup(piece: Piece): piece is Group {
  return 'branches' in piece
}

export function isLookaround({ kind }: Piece): boolean {
  return kind === 'lookahead' || kind === 'lookbehind'
}

interface Reader {
  readonly pattern: string
  at: number
  depth: number
}

const MAX_NESTING = 50

/** The alternatives of a pattern that `RegExp` accepts; `undefined` when its groups are nested deeper than anyone writes. */
export function piecesOf(pattern: string): readonly (readonly Piece[])[] | undefined {
  return readBranches({ pattern, at: 0, depth: 0 })
}

function readBranches(reader: Reader): Piece[][] | undefined {
  const { pattern } = reader
  if (++reader.depth > MAX_NESTING) return undefined
  const branches: Piece[][] = [[]]
  while (reader.at < pattern.length && pattern[reader.at] !== ')') {
    if (pattern[reader.at] === '|') {
      branches.push([])
      reader.at++
      continue
    }
    const piece = pattern[reader.at] === '(' ? readGroup(reader) : readSingle(reader)
    if (piece === undefined) return undefined
    branches.at(-1)?.push(piece)
  }
  reader.depth--
  return branches
}

/** `(?:`, `(?<name>`, `(?=`, `(?<!` and the like, up to where the alternatives begin. */
const OPENING = /\((?:\?(?:<[^>=!]*>|<?[=!]|[a-z-]*:))?/y

function readGroup(reader: Reader): Group | undefined {
  const [opening] = readMatch(reader, OPENING) ?? ['']
  const start = reader.at
  const branches = readBranches(reader)
  if (branches === undefined) return undefined
  const source = reader.pattern.slice(start, reader.at)
  reader.at++
  const isCapturing = opening === '(' || opening.endsWith('>')
  return { kind: groupKindOf(opening), source, isCapturing, branches, times: readTimes(reader) }
}

function groupKindOf(opening: string): Group['kind'] {
  if (!/[=!]$/.test(opening)) return 'group'
  return opening.includes('<') ? 'lookbehind' : 'lookahead'
}

/** An escape with all that belongs to it, a class, or any character. */
const SINGLE = /\\(?:k<[^>]*>|[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|\d+|.)|\[(?:\\.|[^\]\\])*\]|./suy

function readSingle(reader: Reader): Single {
  const [source] = readMatch(reader, SINGLE) ?? ['']
  return { kind: kindOf(source), source, times: readTimes(reader) }
}

function kindOf(source: string): Single['kind'] {
  if (/^(?:[$^]|\\[bB])$/.test(source)) return 'anchor'
  if (/^\\(?:k<|[1-9])/.test(source)) return 'reference'
  return source === '.' || /^(?:\[|\\[\w\s])/.test(source) ? 'class' : 'literal'
}

const TIMES = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y

function readTimes(reader: Reader): Times {
  const [all, sign, min, comma, max] = readMatch(reader, TIMES) ?? []
  if (all === undefined) return { min: 1, max: 1 }
  if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
  return { min: Number(min), max: max ? Number(max) : comma ? Infinity : Number(min) }
}

function readMatch(reader: Reader, sticky: RegExp): RegExpExecArray | undefined {
  sticky.lastIndex = reader.at
  const match = sticky.exec(reader.pattern) ?? undefined
  reader.at += match?.[0].length ?? 0
  return match
}
