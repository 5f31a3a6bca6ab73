/** Scans SQL for SQLite in one pass. Distinguishes statements, words and calls from quoted text and comments. */

export interface ScannedSql {
  /** Number of statements. A trailing `;` doesn't start another one. */
  readonly statements: number
  /** The first words outside quotes, in upper case, each with its bracket depth. */
  readonly words: readonly SqlWord[]
  /** The names before a `(`, quoted or not, in lower case. */
  readonly calls: ReadonlySet<string>
  /** `?`, `$1`, `:name` and similar placeholders, in order. */
  readonly placeholders: readonly string[]
  /** Names of tables that start with `pragma_`, quoted or not, in lower case. */
  readonly pragmas: ReadonlySet<string>
  /** The schema before the name of the statement's target, such as `temp` in `CREATE TABLE temp.t`. Without quotes, in lower case. */
  readonly schema: string | undefined
}

export interface SqlWord {
  readonly word: string
  readonly depth: number
}

const MAX_WORDS = 32

/** Scans SQL in linear time. If a quote or a comment isn't closed, it extends to the end. */
export function scanSql(sql: string): ScannedSql {
  const words: SqlWord[] = []
  const calls = new Set<string>()
  const placeholders: string[] = []
  const pragmas = new Set<string>()
  let statements = 0
  let depth = 0
  let isInside = false
  let name: string | undefined
  let schema: string | undefined
  let isPastName = false
  let last = ''
  for (let at = 0; at < sql.length; ) {
    const end = endOfToken(sql, at)
    const token = sql.slice(at, end)
    at = end
    const kind = kindOf(token)
    if (kind === 'blank') continue
    if (token === ';') {
      isInside = false
      name = undefined
      continue
    }
    if (!isInside) statements++
    isInside = true
    isPastName ||= token === '(' || BEHIND_NAME.test(token)
    if (token === '.' && !isPastName) {
      schema = unquoted(last).toLowerCase()
      isPastName = true
    }
    last = token
    if (token === '(') {
      depth++
      if (name !== undefined) calls.add(name.toLowerCase())
    } else if (token === ')') depth--
    name = undefined
    if (kind === 'word') {
      name = token
      if (words.length < MAX_WORDS) words.push({ word: token.toUpperCase(), depth })
    } else if (kind === 'quoted') name = token.slice(1, -1)
    else if (kind === 'placeholder') placeholders.push(token)
    const start = token.slice(0, 8)
    if (/^['"`[]?pragma_/i.test(start)) pragmas.add(unquoted(token).toLowerCase())
  }
  return { statements, words, calls, placeholders, pragmas, schema }
}

/** Words that may follow the name of a table, an index or a view. */
const BEHIND_NAME = /^(?:AS|ON|SELECT|VALUES|SET|FROM|USING)$/i

function unquoted(token: string): string {
  return token.replace(/^['"`[]|['"`\]]$/g, '')
}

type Kind = 'blank' | 'word' | 'quoted' | 'placeholder' | 'other'

function kindOf(token: string): Kind {
  const first = token[0] as string
  if (isBlank(first) || token.startsWith('--') || token.startsWith('/*')) return 'blank'
  if (isWordStart(first)) return 'word'
  if (first === '"' || first === '`' || first === '[') return 'quoted'
  const isPlaceholder = first === '?' || (token.length > 1 && '$:@'.includes(first) && isWordPart(token[1] as string))
  return isPlaceholder ? 'placeholder' : 'other'
}

function endOfToken(sql: string, at: number): number {
  const first = sql[at] as string
  const next = sql[at + 1]
  if (isBlank(first)) return endOfRun(sql, at, isBlank)
  if (first === '-' && next === '-') return after(sql.indexOf('\n', at), 1, sql)
  if (first === '/' && next === '*') return after(sql.indexOf('*/', at + 2), 2, sql)
  if (first === "'" || first === '"' || first === '`') return endOfQuote(sql, at, first)
  if (first === '[') return after(sql.indexOf(']', at), 1, sql)
  if (isWordStart(first) || isDigit(first)) return endOfRun(sql, at, isWordPart)
  if (first === '?' || first === '$' || first === '@' || (first === ':' && next !== ':')) return endOfRun(sql, at + 1, isWordPart)
  return at + (first === ':' && next === ':' ? 2 : 1)
}

function after(found: number, length: number, sql: string): number {
  return found < 0 ? sql.length : found + length
}

function endOfRun(sql: string, from: number, holds: (character: string) => boolean): number {
  let at = from
  while (at < sql.length && holds(sql[at] as string)) at++
  return at
}

/** Returns the end of a quoted name or string. A doubled quote is an escaped quote, not the end. */
function endOfQuote(sql: string, from: number, quote: string): number {
  for (let at = sql.indexOf(quote, from + 1); at >= 0; at = sql.indexOf(quote, at + 2)) {
    if (sql[at + 1] !== quote) return at + 1
  }
  return sql.length
}

/**
 * True for SQLite's white space, which includes a vertical tab after another one. Other characters above ASCII, such as a no-break space,
 * are part of a name.
 */
function isBlank(character: string): boolean {
  return ' \t\n\v\r\f\ufeff'.includes(character)
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

function isWordStart(character: string): boolean {
  return /[A-Za-z_]/.test(character) || (character > '\u007f' && !isBlank(character))
}

function isWordPart(character: string): boolean {
  return isWordStart(character) || isDigit(character) || character === '$'
}
