/** Formats losses as a table for people to read. */
import type { Loss } from './loss.ts'

/** Returns a header line and one line per loss. Empty if there are no losses. */
export function formatLosses(losses: readonly Loss[]): string {
  if (losses.length === 0) return ''
  const hasTools = losses.some(({ tool }) => tool !== undefined)
  const lines = losses.map(({ tool = '', path, keyword, action, note = '' }) => [
    ...(hasTools ? [tool] : []),
    path || '(root)',
    keyword,
    action,
    note,
  ])
  const cells = [[...(hasTools ? ['tool'] : []), 'path', 'keyword', 'action', 'note'], ...lines].map((line) =>
    line.map(inOneLine),
  )
  const widths = cells[0]?.map((_, column) => cells.reduce((width, line) => Math.max(width, line[column]?.length ?? 0), 0)) ?? []
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Replaces line breaks and control characters with spaces. Names and notes may come from untrusted schemas. */
function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}
