/** What a legal tool name is, and which known names are near to a wrong one. */
import { ToolError } from './errors.ts'

const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/

export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && TOOL_NAME.test(name)
}

/** Throws `invalid_definition` unless the name is an identifier of at most 64 characters: legal for every provider. */
export function assertToolName(name: unknown, owner: string): asserts name is string {
  if (isToolName(name)) return
  throw new ToolError(
    'invalid_definition',
    `${owner}: invalid tool name ${JSON.stringify(name)}. Use letters, digits and "_", not starting with a digit, at most 64 characters.`,
  )
}

/**
 * Up to `limit` known names that a wrong name may have meant, nearest first: close in spelling,
 * or sharing a whole word (`search` finds `web_search`). Empty when none is near.
 */
export function nearestNames(wrong: string, names: Iterable<string>, limit = 3): readonly string[] {
  const target = plain(wrong.slice(0, 200))
  const nearest: { name: string; distance: number }[] = []
  for (const name of names) {
    const candidate = plain(name)
    const allowed = Math.max(1, Math.floor(Math.max(target.length, candidate.length) / 3))
    // With the list full, only a nearer name matters: this keeps ten thousand names within milliseconds.
    const worst = nearest.length < limit ? allowed : Math.min(allowed, nearest.at(-1)?.distance ?? 0)
    const distance = distanceBetween(target, candidate, worst)
    if (distance > worst) continue
    nearest.push({ name, distance })
    nearest.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    nearest.length = Math.min(nearest.length, Math.max(0, limit))
  }
  return nearest.map(({ name }) => name)
}

function distanceBetween(target: string, candidate: string, limit: number): number {
  if (target === candidate) return 0
  return sharesWord(target, candidate) ? 1 : editDistance(target, candidate, limit)
}

function plain(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
}

function sharesWord(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short.length >= 4 && `_${long}_`.includes(`_${short}_`)
}

/**
 * Damerau–Levenshtein distance in its restricted form: a swap of neighbours counts as one edit. Exact up to `limit`;
 * beyond it `Infinity`, found early because only the diagonal band of that width is filled in.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Infinity
  const tooFar = limit + 1
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  let current: number[] = new Array(b.length + 1)
  for (let row = 1; row <= a.length; row++) {
    const first = Math.max(1, row - limit)
    const last = Math.min(b.length, row + limit)
    current[first - 1] = first === 1 ? row : tooFar
    if (last < b.length) current[last + 1] = tooFar
    let least = current[first - 1] as number
    for (let column = first; column <= last; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let best = Math.min(
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + cost,
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforePrevious[column - 2] as number) + 1)
      }
      current[column] = best
      least = Math.min(least, best)
    }
    if (least > limit) return Infinity
    const spare = row === 1 ? new Array<number>(b.length + 1) : beforePrevious
    beforePrevious = previous
    previous = current
    current = spare
  }
  return previous[b.length] as number
}
