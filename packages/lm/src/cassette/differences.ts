/** Describes, line by line, how a value differs from a recorded one. */
import { isRecord } from './written-exchange.ts'

/** Maximum number of lines in a description. */
const MAX_LINES = 60

/**
 * Returns one entry per difference: its path, the recorded value (`-`) and the received value (`+`). Text is compared line by
 * line. Returns an empty list for equal values.
 */
export function differencesOf(recorded: unknown, received: unknown): readonly string[] {
  const lines = compare('', recorded, received)
  return lines.length <= MAX_LINES
    ? lines
    : [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more lines of differences`]
}

function compare(path: string, recorded: unknown, received: unknown): string[] {
  if (Array.isArray(recorded) && Array.isArray(received)) return compareLists(path, recorded, received)
  if (isRecord(recorded) && isRecord(received)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(received)])
    return [...names].flatMap((name) => compare(path === '' ? name : `${path}.${name}`, recorded[name], received[name]))
  }
  if (Object.is(recorded, received)) return []
  if (typeof recorded === 'string' && typeof received === 'string') return [path, ...compareTexts(recorded, received)]
  return [path, ...shown('-', recorded), ...shown('+', received)]
}

/** Skips equal items at the start and the end, so that an inserted item isn't reported as a difference of its neighbors. */
function compareLists(path: string, recorded: readonly unknown[], received: readonly unknown[]): string[] {
  const [before, after] = [recorded.map((item) => JSON.stringify(item)), received.map((item) => JSON.stringify(item))]
  const { start, end } = equalEnds(before, after)
  const lines: string[] = []
  for (let index = start; index < Math.max(before.length, after.length) - end; index++) {
    const item = `${path}[${index}]`
    const isRemoved = index >= after.length - end
    const isAdded = index >= before.length - end
    if (isRemoved || isAdded) lines.push(item, isRemoved ? `- ${short(before[index])}` : `+ ${short(after[index])}`)
    else lines.push(...compare(item, recorded[index], received[index]))
  }
  return lines
}

function equalEnds(before: readonly unknown[], after: readonly unknown[]): { readonly start: number; readonly end: number } {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return { start, end }
}

/** Returns the lines that differ, with one line of context before and after each group. */
function compareTexts(recorded: string, received: string): string[] {
  const [before, after] = [recorded.split('\n'), received.split('\n')]
  const lines: string[] = []
  let shownTo = 0
  for (const { from, to, removed, added } of changesOf(before, after)) {
    const context = before.slice(Math.max(shownTo, from - 1), from)
    if (shownTo > 0 && from - 1 > shownTo) lines.push('  …')
    lines.push(...context.map((line) => `  ${short(line)}`), ...changeLines(removed, added))
    const [following] = before.slice(to, to + 1)
    if (following !== undefined) lines.push(`  ${short(following)}`)
    shownTo = to + 1
  }
  return lines
}

function changeLines(removed: readonly string[], added: readonly string[]): readonly string[] {
  if (removed.length !== added.length)
    return [...removed.map((line) => `- ${short(line)}`), ...added.map((line) => `+ ${short(line)}`)]
  const pairs = removed.map((line, index) => compareLines(line, added[index] ?? ''))
  return [...pairs.map(([line]) => line), ...pairs.map(([, line]) => line)]
}

/** Replaces lines `from` to `to` of the recorded text with the received lines. */
interface Change {
  readonly from: number
  to: number
  readonly removed: string[]
  readonly added: string[]
}

/** Limit for computing the smallest change: the maximum product of both line counts. */
const MAX_CELLS = 1_000_000

function changesOf(before: readonly string[], after: readonly string[]): readonly Change[] {
  const { start, end } = equalEnds(before, after)
  const [removed, added] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  if (removed.length * added.length > MAX_CELLS) return [{ from: start, to: start + removed.length, removed, added }]
  const common = commonLengths(removed, added)
  const changes: Change[] = []
  let open: Change | undefined
  for (let [row, column] = [0, 0]; row < removed.length || column < added.length; ) {
    if (row < removed.length && removed[row] === added[column]) {
      open = undefined
      row++
      column++
      continue
    }
    if (open === undefined) {
      open = { from: start + row, to: start + row, removed: [], added: [] }
      changes.push(open)
    }
    if (column >= added.length || (row < removed.length && common(row + 1, column) >= common(row, column + 1))) {
      open.removed.push(removed[row++] as string)
      open.to = start + row
    } else open.added.push(added[column++] as string)
  }
  return changes
}

/** Returns, for each pair of positions, the length of the longest common subsequence from there on. */
function commonLengths(before: readonly string[], after: readonly string[]): (row: number, column: number) => number {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  return at
}

/** Returns excerpts of two lines that start shortly before the first difference. */
function compareLines(recorded: string, received: string): readonly [string, string] {
  let same = 0
  while (same < recorded.length && recorded[same] === received[same]) same++
  const from = same > SHOWN / 2 ? same - SHOWN / 4 : 0
  const start = from > 0 ? '…' : ''
  return [`- ${start}${short(recorded.slice(from))}`, `+ ${start}${short(received.slice(from))}`]
}

function shown(sign: string, value: unknown): readonly string[] {
  return value === undefined ? [] : [`${sign} ${short(JSON.stringify(value))}`]
}

/** Maximum number of characters to show of a line. */
const SHOWN = 200

function short(text = ''): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
