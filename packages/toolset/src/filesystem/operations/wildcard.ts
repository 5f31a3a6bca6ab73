/** Matches names against a simple pattern: `*` matches any characters, every other character matches itself. */

/** Splits the pattern once. Matching a name takes one pass per part, without backtracking. */
export function wildcardMatcher(pattern: string): (name: string) => boolean {
  const [first = '', ...others] = pattern.split(/\*+/)
  const last = others.pop()
  if (last === undefined) return (name) => name === first
  return (name) => {
    const end = name.length - last.length
    if (!name.startsWith(first) || !name.endsWith(last) || first.length > end) return false
    let position = first.length
    for (const part of others) {
      const found = name.indexOf(part, position)
      if (found < 0 || found + part.length > end) return false
      position = found + part.length
    }
    return true
  }
}
