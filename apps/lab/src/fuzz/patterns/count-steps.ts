/** Counts the steps of a backtracking engine like JavaScript's, so that slow patterns are found without measuring time. */
import type { PatternNode } from './random-pattern.ts'

/** Maximum number of steps to count. No tested string should need this many. */
export const MOST_STEPS = 300_000

class Over extends Error {}

/**
 * Counts the steps to search from each position, up to the first match. Returns `MOST_STEPS` if there are more, or if the recursion is too
 * deep.
 */
export function countSteps(pattern: PatternNode, text: string): number {
  const units = [...text]
  let steps = 0
  const captures = new Map<number, string>()
  type Next = (at: number) => boolean
  const match = (node: PatternNode, at: number, next: Next): boolean => {
    if (++steps >= MOST_STEPS) throw new Over()
    switch (node.kind) {
      case 'unit':
        return at < units.length && node.fits.test(units[at] as string) && next(at + 1)
      case 'place':
        return isAt(node.source, units, at) && next(at)
      case 'row':
        return matchRow(node.parts, 0, at, next)
      case 'choice':
        return node.parts.some((part) => match(part, at, next))
      case 'group':
        return match(node.part, at, (end) => {
          const { number } = node
          if (number === undefined) return next(end)
          const before = captures.get(number)
          captures.set(number, units.slice(at, end).join(''))
          if (next(end)) return true
          if (before === undefined) captures.delete(number)
          else captures.set(number, before)
          return false
        })
      case 'look':
        return match(node.part, at, () => true) === (node.open === '(?=') && next(at)
      case 'back': {
        const captured = [...(captures.get(node.number) ?? '')]
        steps += captured.length
        return captured.every((unit, index) => units[at + index] === unit) && next(at + captured.length)
      }
      case 'times':
        return matchTimes(node, 0, at, next)
    }
  }
  const matchRow = (parts: readonly PatternNode[], index: number, at: number, next: Next): boolean => {
    const part = parts[index]
    return part === undefined ? next(at) : match(part, at, (end) => matchRow(parts, index + 1, end, next))
  }
  const matchTimes = (node: PatternNode & { kind: 'times' }, count: number, at: number, next: Next): boolean => {
    const more = () =>
      count < node.most &&
      // An empty iteration beyond the minimum ends the repetition.
      match(node.part, at, (end) => (end > at || count < node.least) && matchTimes(node, count + 1, end, next))
    if (count < node.least) return more()
    return node.isLazy ? next(at) || more() : more() || next(at)
  }
  try {
    for (let start = 0; start <= units.length; start++) {
      captures.clear()
      // A pattern that is anchored at the start is tried only once.
      if (match(pattern, start, () => true) || isAnchored(pattern)) break
    }
    return steps
  } catch (error) {
    if (error instanceof Over || error instanceof RangeError) return MOST_STEPS
    throw error
  }
}

function isAnchored(node: PatternNode): boolean {
  if (node.kind === 'row') return node.parts[0] !== undefined && isAnchored(node.parts[0])
  return node.kind === 'place' && node.source === '^'
}

function isAt(place: string, units: readonly string[], at: number): boolean {
  if (place === '^') return at === 0
  if (place === '$') return at === units.length
  const isWord = (unit: string | undefined) => unit !== undefined && /^\w$/.test(unit)
  return (isWord(units[at - 1]) !== isWord(units[at])) === (place === '\\b')
}
