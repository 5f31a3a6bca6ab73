/** Which patterns may be left to redos-detector's proof. */
import { type PatternNode, type ReadPattern, SYNTAX } from './linear-pattern.ts'

/**
 * False for what the proof doesn't see or doesn't end on:
 * - a lookaround within another one;
 * - a reference to a group that isn't closed before it, or has references itself: the proof writes the group in its place;
 * - `^` behind what takes characters, and `$` before it: no text fits, but the engine tries all of it in each way that it can be cut;
 * - `\B`: V8 finds it between the two halves of a character.
 */
export function isProvable({ source, unicode }: RegExp, read: ReadPattern): boolean {
  try {
    return new ProvableSyntax().allows(read(source, unicode ? 'u' : '', SYNTAX), { isStart: true, isEnd: true, isInside: false })
  } catch {
    return false
  }
}

interface Place {
  /** Nothing takes characters before it, or behind it. */
  readonly isStart: boolean
  readonly isEnd: boolean
  /** Within a lookaround. */
  readonly isInside: boolean
}

class ProvableSyntax {
  /** Closed groups by number and name, and whether they have references. */
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
    return parts.every((part, index) => {
      if (node.type === 'disjunction') return this.allows(part, place)
      const isStart = place.isStart && !isRepeated && parts.slice(0, index).every(takesNothing)
      const isEnd = place.isEnd && !isRepeated && parts.slice(index + 1).every(takesNothing)
      return this.allows(part, { ...place, isStart, isEnd })
    })
  }

  #allowsGroup(node: PatternNode & { readonly type: 'group' }, place: Place): boolean {
    const isCapture = node.behavior === 'normal'
    const looks = !isCapture && node.behavior !== 'ignore'
    if (looks && place.isInside) return false
    const names = isCapture ? [String(++this.#groups), node.name?.value ?? ''] : []
    const before = this.#references
    const inner: Place = looks ? { isStart: place.isStart, isEnd: true, isInside: true } : place
    const body: PatternNode = { type: 'alternative', body: node.body }
    if (!this.allows(body, inner)) return false
    for (const name of names) this.#closed.set(name, this.#references > before)
    return true
  }
}

const FITS_PLACE: { readonly [Kind in (PatternNode & { readonly type: 'anchor' })['kind']]: (place: Place) => boolean } = {
  start: ({ isStart }) => isStart,
  end: ({ isEnd }) => isEnd,
  boundary: () => true,
  'not-boundary': () => false,
}

function takesNothing(node: PatternNode): boolean {
  return node.type === 'anchor' || (node.type === 'group' && node.behavior !== 'normal' && node.behavior !== 'ignore')
}
