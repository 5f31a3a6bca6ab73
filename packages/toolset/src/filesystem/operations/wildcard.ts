/** Matches names against a pattern. `*` matches any characters, and every other character matches only itself. */

/** Returns a function that matches names. It takes one pass for each part of the pattern, and never backtracks. */
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
