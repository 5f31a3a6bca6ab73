/** Generates random patterns as trees, on which the steps of a backtracking engine can be counted, and strings to match. */
import type { Random } from '../random.ts'

export type PatternNode =
  | { readonly kind: 'unit'; readonly source: string; readonly fits: RegExp }
  | { readonly kind: 'place'; readonly source: string; readonly fits: RegExp }
  | { readonly kind: 'row' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'group'; readonly part: PatternNode; readonly open: string; readonly number?: number }
  | { readonly kind: 'look'; readonly part: PatternNode; readonly open: '(?=' | '(?!' }
  | { readonly kind: 'back'; readonly number: number }
  | {
      readonly kind: 'times'
      readonly part: PatternNode
      readonly least: number
      readonly most: number
      readonly isLazy: boolean
    }

const UNITS = [
  'a',
  'b',
  '1',
  ' ',
  '.',
  '\\w',
  '\\d',
  '\\s',
  '\\S',
  '[a-c]',
  '[^a]',
  '[^\\s,]',
  ',',
  '\\.',
  '-',
  '\\p{L}',
  'é',
  '\\n',
  '@',
] as const
const PLACES = ['^', '$', '\\b', '\\B'] as const
type Count = readonly [least: number, most: number]

const COUNTS: readonly [Count, ...Count[]] = [
  [0, Infinity],
  [1, Infinity],
  [0, 1],
  [2, 2],
  [0, 3],
  [1, 3],
  [2, Infinity],
]

export function randomPattern(random: Random): PatternNode {
  let groups = 0
  const part = (depth: number): PatternNode => {
    const kind = random.below(depth > 3 ? 3 : 13)
    if (kind < 3) return unit(random.pick(UNITS))
    if (kind < 6) return times(random, part(depth + 1))
    if (kind < 9) return { kind: 'row', parts: parts(depth) }
    if (kind === 9) return { kind: 'group', part: { kind: 'choice', parts: parts(depth) }, open: '(?:' }
    if (kind === 10) {
      const number = ++groups
      return { kind: 'group', part: part(depth + 1), open: '(', number }
    }
    if (kind === 11 && random.chance(0.3)) return { kind: 'look', part: part(depth + 1), open: random.pick(['(?=', '(?!']) }
    if (kind === 11 && groups > 0 && random.chance(0.2)) return { kind: 'back', number: 1 + random.below(groups) }
    return { kind: 'place', source: random.pick(PLACES), fits: /./ }
  }
  const parts = (depth: number) => Array.from({ length: 2 + random.below(2) }, () => part(depth + 1))
  const inner = part(0)
  const start: PatternNode[] = random.chance(0.5) ? [{ kind: 'place', source: '^', fits: /./ }] : []
  const end: PatternNode[] = random.chance(0.5) ? [{ kind: 'place', source: '$', fits: /./ }] : []
  return { kind: 'row', parts: [...start, inner, ...end] }
}

function unit(source: string): PatternNode {
  return { kind: 'unit', source, fits: new RegExp(`^${source}$`, 'u') }
}

function times(random: Random, part: PatternNode): PatternNode {
  const [least, most] = random.pick(COUNTS)
  return { kind: 'times', part, least, most, isLazy: random.chance(0.1) }
}

export function sourceOf(node: PatternNode): string {
  switch (node.kind) {
    case 'unit':
    case 'place':
      return node.source
    case 'row':
      return node.parts.map(sourceOf).join('')
    case 'choice':
      return node.parts.map(sourceOf).join('|')
    case 'group':
    case 'look':
      return `${node.open}${sourceOf(node.part)})`
    case 'back':
      // The group keeps a following digit from becoming part of the number.
      return `(?:\\${node.number})`
    case 'times': {
      const inner = node.part.kind === 'unit' || node.part.kind === 'group' ? sourceOf(node.part) : `(?:${sourceOf(node.part)})`
      return `${inner}${countOf(node.least, node.most)}${node.isLazy ? '?' : ''}`
    }
  }
}

function countOf(least: number, most: number): string {
  if (most === Infinity) return least === 0 ? '*' : least === 1 ? '+' : `{${least},}`
  return least === 0 && most === 1 ? '?' : least === most ? `{${least}}` : `{${least},${most}}`
}

const CHARACTERS = ['a', 'b', 'c', '1', ' ', ',', '.', '-', 'é', '\n', '@', '_', '😀'] as const

/** Generates a short string, because a backtracking engine hangs only on longer ones. */
export function shortText(random: Random): string {
  return Array.from({ length: random.below(8) }, () => random.pick(CHARACTERS)).join('')
}

/** Returns a function that repeats a string to any length. Its different start and end make an engine backtrack. */
export function pumpedText(random: Random): (length: number) => string {
  const piece = () => Array.from({ length: 1 + random.below(3) }, () => random.pick(CHARACTERS)).join('')
  const [start, pump, end] = [random.chance(0.5) ? piece() : '', piece(), random.chance(0.7) ? piece() : '']
  return (length) => start + pump.repeat(Math.ceil(length / pump.length)) + end
}
