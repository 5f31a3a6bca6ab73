/** Formats a result as the JSON object of the contract, or as text. */
import type { Row, SuiteResult } from './suite.ts'

export function toJsonReport(suite: string, corpus: string, result: SuiteResult): string {
  const { passed, failed, skipped, metrics, failures } = result
  return `${JSON.stringify({ suite, corpus, passed, failed, skipped, metrics, failures })}\n`
}

/** Formats a result as text. The contract requires `N passed, N failed` as the last line. */
export function toTextReport(suite: string, corpus: string, { rows, failures, passed, failed, skipped }: SuiteResult): string {
  const parts = [
    [`${suite}: ${corpus}`],
    toTable(rows),
    ...(skipped > 0 ? [[`${skipped} skipped, because their data is missing or they have no reader yet`]] : []),
    ...(failures.length > 0 ? [failures.map(({ id, why }) => `✗ ${id}: ${why}`)] : []),
    [`${passed} passed, ${failed} failed`],
  ]
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** Aligns the first column, which contains names, left and all others right. */
function toTable(rows: readonly Row[]): readonly string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))]
  const widths = columns.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  const pad = (cell: string, column: number) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))
  return cells.map((line) => line.map(pad).join('  '))
}
