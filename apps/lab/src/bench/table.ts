/** Formats a report as text. */
import type { GoalResult, Report, Row } from './report.ts'

const HEAD = ['subject', 'case', 'cpu', 'quartiles', 'times the base', 'wall time', 'times the base']
/** Number of text columns, which come first and are aligned left. Figures are aligned right. */
const WORDS = 2

export function toText({ bench, base, machine, versions, rows, goals }: Report): string {
  const met = goals.filter((goal) => goal.met).length
  return [
    `bench ${bench}, base ${base}`,
    ...Object.entries(machine).map(([name, value]) => `  ${name}: ${value}`),
    `  ${Object.entries(versions)
      .map((pair) => pair.join(' '))
      .join(', ')}`,
    '',
    `${rows[0]?.unit}, median of all rounds`,
    ...toColumns([HEAD, ...rows.map(toCells)]),
    '',
    'goals: median of the per-round ratios of CPU time, or of wall time [quartiles]',
    ...goals.map(toLine),
    `${met} met, ${goals.length - met} not met`,
  ].join('\n')
}

function toCells({ subject, case: caseName, median, spread, ratio, wall, error }: Row): readonly string[] {
  if (median === null || spread === null || ratio === null || wall === null)
    return [subject, caseName, '–', error ?? 'not measured']
  return [subject, caseName, digits(median), toRange(spread), digits(ratio), digits(wall.median), digits(wall.ratio)]
}

function toColumns(lines: readonly (readonly string[])[]): readonly string[] {
  const widths = HEAD.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const pad = (text: string, column: number) => {
    const width = widths[column] ?? 0
    return column < WORDS ? text.padEnd(width) : text.padStart(width)
  }
  return lines.map((cells) => `  ${cells.map(pad).join('  ')}`.trimEnd())
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

/** Three significant digits. */
function digits(figure: number): string {
  return figure.toLocaleString('en', { maximumSignificantDigits: 3 })
}
