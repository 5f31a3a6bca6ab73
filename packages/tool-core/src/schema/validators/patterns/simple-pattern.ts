/**
 * Recognizes patterns that evidently match in linear time. Neither the analysis of patterns nor RE2 is loaded for them, because loading
 * takes longer than the first call of most tools.
 */

/**
 * True if the engine reads each character once and backtracks over it at most once. Such a pattern leaves the engine only one way to
 * continue at each character.
 */
export function isSimplePattern({ source, flags, unicode }: RegExp): boolean {
  // V8 also matches `\B` between the two halves of a surrogate pair.
  if (source.includes('\\B')) return false
  if (!/[*+?{|]/.test(source)) return true
  if (!unicode || !source.startsWith('^')) return false
  const body = source.slice(1, source.endsWith('$') ? -1 : undefined)
  const part = new RegExp(PART)
  /** The preceding atom if it can repeat, otherwise undefined. */
  let repeated: string | undefined
  while (part.lastIndex < body.length) {
    const found = part.exec(body)
    if (found === null) return false
    const atom = found[1] as string
    const times = found[2]
    if (repeated !== undefined && (times !== undefined || !isOther(atom, repeated, flags))) return false
    repeated = times === undefined || /^\{\d+\}$/.test(times) ? undefined : atom
  }
  return true
}

/** Matches a character or a character class, with its quantifier. */
const PART = /(\[(?:\\.|[^\\\]])*\]|\\[dDsSwW]|\\[^a-zA-Z\d]|[^\\^$|?*+()[\]{}])([*+?]|\{\d+(?:,\d*)?\})?/suy

/** True if an atom is a single character that the other atom can't match. */
function isOther(atom: string, other: string, flags: string): boolean {
  const isCharacter = atom.startsWith('\\') ? !/[a-zA-Z]/.test(atom) : atom !== '.' && !atom.startsWith('[')
  return isCharacter && !new RegExp(`^${other}$`, flags).test(atom.replace('\\', ''))
}
