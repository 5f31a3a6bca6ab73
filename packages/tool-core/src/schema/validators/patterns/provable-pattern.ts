/** Decides whether redos-detector can analyze a pattern. */
import { type PatternNode, type ReadPattern, SYNTAX } from './linear-pattern.ts'

/**
 * False for syntax that the proof doesn't cover, or that keeps it from terminating:
 * - a lookaround within a lookaround;
 * - a reference to a group that isn't closed before it, or that contains references: the proof replaces the reference with the group;
 * - `^` after a part that matches characters, and `$` before such a part: no text matches, but the engine tries every way to split the
 *   text;
 * - a choice in a loop that may read to the end of the text without a match, such as `.+;` in `(?:.+;|a)*`: each round may read everything
 *   again;
 * - `\b` after a part that matches characters: the proof assumes that `\b` is always true there;
 * - `\B`, and `\b` in a lookaround: V8 also checks between the two halves of a surrogate pair.
 */
export function isProvable({ source, unicode }: RegExp, read: ReadPattern): boolean {
  try {
    return new ProvableSyntax().allows(read(source, unicode ? 'u' : '', SYNTAX), TOP)
  } catch {
    return false
  }
}

interface Place {
  /** True if no part before this one consumes characters. */
  readonly isStart: boolean
  /** True if no part after this one consumes characters. */
  readonly isEnd: boolean
  /** True within a lookaround. */
  readonly isInside: boolean
  readonly isInLoop: boolean
}

const TOP: Place = { isStart: true, isEnd: true, isInside: false, isInLoop: false }

class ProvableSyntax {
  /** The groups that are already closed, by number and name. The value is true for a group that contains references. */
  readonly #closed = new Map<string, boolean>()
  #groups = 0
  #references = 0

  allows(node: PatternNode, place: Place): boolean {
    if (node.type === 'anchor') return FITS_PLACE[node.kind](place)
    if (node.type === 'reference') {
      this.#references++
      return this.#closed.get(String(node.name?.value ?? node.matchIndex)) === false
    }
    if (!('body' in node) || node.type === 'characterClass') return true
    if (node.type === 'group') return this.#allowsGroup(node, place)
    const isRepeated = node.type === 'quantifier' && node.max !== 1
    const parts = node.body
    const isChoice = node.type === 'disjunction' || (node.type === 'quantifier' && node.min === 0)
    if (place.isInLoop && isChoice && parts.some(mayReadInVain)) return false
    const isInLoop = place.isInLoop || isLoop(node)
    return parts.every((part, index) => {
      if (node.type === 'disjunction') return this.allows(part, { ...place, isInLoop })
      const isStart = place.isStart && !isRepeated && parts.slice(0, index).every(takesNothing)
      const isEnd = place.isEnd && !isRepeated && parts.slice(index + 1).every(takesNothing)
      return this.allows(part, { ...place, isStart, isEnd, isInLoop })
    })
  }

  #allowsGroup(node: PatternNode & { readonly type: 'group' }, place: Place): boolean {
    const isCapture = node.behavior === 'normal'
    const looks = !isCapture && node.behavior !== 'ignore'
    if (looks && place.isInside) return false
    const names = isCapture ? [String(++this.#groups), node.name?.value ?? ''] : []
    const before = this.#references
    const inner: Place = looks ? { ...place, isEnd: true, isInside: true } : place
    const body: PatternNode = { type: 'alternative', body: node.body }
    if (!this.allows(body, inner)) return false
    for (const name of names) this.#closed.set(name, this.#references > before)
    return true
  }
}

const FITS_PLACE: { readonly [Kind in (PatternNode & { readonly type: 'anchor' })['kind']]: (place: Place) => boolean } = {
  start: ({ isStart }) => isStart,
  end: ({ isEnd }) => isEnd,
  boundary: ({ isStart, isInside }) => isStart && !isInside,
  'not-boundary': () => false,
}

function takesNothing(node: PatternNode): boolean {
  return node.type === 'anchor' || (node.type === 'group' && node.behavior !== 'normal' && node.behavior !== 'ignore')
}

/** If a quantifier allows more repetitions than this, it counts as a loop, because a proof allows at most this many visits. */
const MANY = 10

function isLoop(node: PatternNode): boolean {
  return node.type === 'quantifier' && (node.max === undefined || node.max > MANY)
}

/** True if the pattern contains a loop and, after it, a part that may fail to match. */
function mayReadInVain(node: PatternNode): boolean {
  if (!('body' in node) || node.type === 'characterClass') return false
  const isChoice = node.type === 'disjunction'
  return node.body.some(
    (part, index) => mayReadInVain(part) || (!isChoice && hasLoop(part) && node.body.slice(index + 1).some(mayFail)),
  )
}

function hasLoop(node: PatternNode): boolean {
  return isLoop(node) || ('body' in node && node.type !== 'characterClass' && node.body.some(hasLoop))
}

function mayFail(node: PatternNode): boolean {
  if (!('body' in node) || node.type === 'characterClass') return true
  if (node.type === 'quantifier' && node.min === 0) return false
  return node.type === 'disjunction' ? node.body.every(mayFail) : node.body.some(mayFail)
}
