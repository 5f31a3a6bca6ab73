/** Formats a report as text. */
import type { Table } from './bench.ts'
import type { GoalResult, Report, Row } from './report.ts'

const HEAD = ['subject', 'case', 'cpu', 'quartiles', 'times the base', 'wall time', 'times the base']
/** Number of text columns, which come first and are aligned left. Figures are aligned right. */
const WORDS = 2

export function toText({ bench, base, machine, versions, rows, goals, table }: Report): string {
  const met = goals.filter((goal) => goal.met).length
  return [
    `bench ${bench}, base ${base}`,
    ...Object.entries(machine).map(([name, value]) => `  ${name}: ${value}`),
    `  ${Object.entries(versions)
      .map((pair) => pair.join(' '))
      .join(', ')}`,
    '',
    `${rows[0]?.unit}, median of all rounds`,
    ...toColumns([HEAD, ...rows.map(toCells)], WORDS),
    '',
    'goals: median of the per-round ratios of CPU time, or of wall time [quartiles]',
    ...goals.map(toLine),
    `${met} met, ${goals.length - met} not met`,
    ...(table === undefined ? [] : toTable(table)),
  ].join('\n')
}

function toCells({ subject, case: caseName, median, spread, ratio, wall, error }: Row): readonly string[] {
  if (median === null || spread === null || ratio === null || wall === null)
    return [subject, caseName, '–', error ?? 'not measured']
  return [subject, caseName, digits(median), toRange(spread), digits(ratio), digits(wall.median), digits(wall.ratio)]
}

function toTable({ title, head, rows }: Table): readonly string[] {
  const cells = rows.map((row) =>
    row.map((cell) => (Number.isInteger(cell) ? cell.toLocaleString('en') : typeof cell === 'number' ? digits(cell) : cell)),
  )
  return ['', title, ...toColumns([head, ...cells], 1)]
}

/** Aligns the first `words` columns left, and the others right. */
function toColumns([head = [], ...lines]: readonly (readonly string[])[], words: number): readonly string[] {
  const all = [head, ...lines]
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)))
  const pad = (text: string, column: number) => {
    const width = widths[column] ?? 0
    return column < words ? text.padEnd(width) : text.padStart(width)
  }
  return all.map((cells) => `  ${cells.map(pad).join('  ')}`.trimEnd())
}

function toLine({ name, goal, unit, measured, met, spread, measuredWall, error }: GoalResult): string {
  if (measured === null || spread === null || measuredWall === null) return `  ✗ ${name}: ${error ?? 'not measured'}`
  const figures = `${digits(measured)} ${toRange(spread)}`
  const isRatio = unit === 'ratio'
  const limit = isRatio ? digits(goal) : `${digits(goal)} ${unit}`
  return `  ${met ? '✓' : '✗'} ${name} (${limit}): ${figures}${isRatio ? `, wall time ${digits(measuredWall)}` : ''}`
}

function toRange(spread: readonly [number, number]): string {
  return `[${spread.map(digits).join(' – ')}]`
}

/** Formats a figure with three significant digits. */
function digits(figure: number): string {
  return figure.toLocaleString('en', { maximumSignificantDigits: 3 })
}
