/** Names that match a wildcard: `*` stands for any characters, everything else for itself. */

/** The pattern is taken apart once. One pass over a name for each part of it; nothing is ever tried twice. */
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
