/** Whether a name fits a simple pattern: `*` stands for any characters, everything else for itself. */

/** One pass over the name for each part of the pattern; nothing is ever tried twice. */
export function fitsPattern(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return name === first
  const end = name.length - last.length
  if (!name.startsWith(first) || !name.endsWith(last) || first.length > end) return false
  let position = first.length
  for (const part of rest) {
    const found = name.indexOf(part, position)
    if (found < 0 || found + part.length > end) return false
    position = found + part.length
  }
  return true
}
