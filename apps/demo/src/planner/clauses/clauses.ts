/** Splits a request into clauses, so that each contains one task. */
import { isVerb } from '../words/lexicon.ts'
import type { Token } from '../words/token.ts'
import { FUNCTION_WORDS } from '../words/words.ts'

/** One part of a request: consecutive tokens of the source. */
export interface Clause {
  readonly source: string
  readonly tokens: readonly Token[]
  /** How the clause is separated from the previous one. */
  readonly joint: 'start' | 'sentence' | 'and'
}

/** Returns the clauses of a request. `isHead` returns true for a word of the offered tools that may start a clause. */
export function splitClauses(
  source: string,
  tokens: readonly Token[],
  isHead: (token: Token, next: Token | undefined) => boolean,
): Clause[] {
  const clauses: Clause[] = []
  let start = 0
  let joint: Clause['joint'] = 'start'
  const close = (end: number, next: number, nextJoint: Clause['joint']) => {
    const part = tokens.slice(start, end)
    if (part.some((token) => token.kind !== 'sign')) clauses.push({ source, tokens: part, joint })
    if (clauses.length > 0) joint = nextJoint
    start = next
  }
  let index = 0
  while (index < tokens.length) {
    const token = tokens[index] as Token
    if (endsSentence(source, tokens, index)) close(index + 1, index + 1, 'sentence')
    else if (index > start && (CONNECTORS.has(token.lower) || token.text === ',') && token.kind !== 'quote') {
      const head = afterConnectors(tokens, index)
      if (isClauseHead(tokens, head, isHead)) {
        close(index, head, 'and')
        index = head
      }
    }
    index++
  }
  close(tokens.length, tokens.length, 'sentence')
  return clauses
}

/** Joins two consecutive clauses. */
export function joinClauses(first: Clause, second: Clause): Clause {
  return { ...first, tokens: [...first.tokens, ...second.tokens] }
}

/** Returns the clause as it was written. */
export function textOfClause({ source, tokens }: Clause): string {
  if (tokens.length === 0) return ''
  return source.slice(Math.min(...tokens.map(({ start }) => start)), Math.max(...tokens.map(({ end }) => end)))
}

const CONNECTORS = new Set(['and', 'but', 'then', 'also', 'afterwards', 'finally', 'plus', '&'])
const FILLERS = new Set([
  'and',
  'but',
  'then',
  'also',
  'afterwards',
  'finally',
  'please',
  'next',
  ',',
  'after',
  'that',
  'plus',
  'lastly',
  '&',
  'just',
  'you',
  'can',
  'could',
  'to',
])
/** Words that follow a verb, but never a noun. */
const OBJECTS = new Set(['it', 'them', 'me', 'him', 'her', 'us', 'the', 'my'])
const QUESTIONS = new Set(['what', 'where', 'when', 'who', 'which', 'how'])

function endsSentence(source: string, tokens: readonly Token[], index: number): boolean {
  const token = tokens[index] as Token
  const next = tokens[index + 1]
  if (token.kind !== 'sign') return false
  if (token.text === '!' || token.text === '?' || token.text === ';') return true
  if (token.text !== '.') return false
  const before = tokens[index - 1]
  const isAbbreviation = before !== undefined && before.text.length <= 2 && /^\p{Lu}/u.test(before.text) && next !== undefined
  return !isAbbreviation && (next === undefined || (/\s/u.test(source[token.end] ?? ' ') && !/^\p{Ll}/u.test(next.text)))
}

function afterConnectors(tokens: readonly Token[], index: number): number {
  let head = index
  while (head < tokens.length && FILLERS.has((tokens[head] as Token).lower)) head++
  return head
}

function isClauseHead(
  tokens: readonly Token[],
  index: number,
  isHead: (token: Token, next: Token | undefined) => boolean,
): boolean {
  const token = tokens[index]
  const next = tokens[index + 1]
  if (token === undefined || token.kind !== 'word') return false
  if (isHead(token, next) || (next !== undefined && isProhibition(token, next))) return true
  if (next === undefined || next.kind === 'sign') return false
  if (isVerb(token.lower) || QUESTIONS.has(token.lower)) return true
  return OBJECTS.has(next.lower) && !FUNCTION_WORDS.has(token.lower) && token.number === undefined
}

/** Returns true for "don't …", "do not …" and "never …". */
function isProhibition({ lower }: Token, next: Token): boolean {
  return lower === 'never' || /^do(?:n['’]t|nt)$/.test(lower) || (lower === 'do' && next.lower === 'not')
}
