/** Lays out rows as columns of plain text. */

/** Pads every row to the widest cell of each column, with two spaces between columns. The first row is the heading. */
export function layOut(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = widthsOf(rows)
  const padded = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - lengthOf(cell)))
      .join('  ')
      .trimEnd()
  const [heading, ...body] = rows.map(padded)
  return heading === undefined ? [] : [heading, widths.map((width) => '─'.repeat(width)).join('  '), ...body]
}

/** Returns the width of each column, which is that of its widest cell. */
export function widthsOf(rows: readonly (readonly string[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => lengthOf(row[column] ?? ''))))
}

function lengthOf(cell: string): number {
  return [...cell].length
}
