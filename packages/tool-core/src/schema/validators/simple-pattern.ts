/** Patterns that JavaScript's engine reads once, told by their text. Loading a proof and another engine takes longer than most first calls. */

/** True where each character of a text is read once, and given back once: at no place is there more than one way to go on. */
export function isSimplePattern({ source, flags, unicode }: RegExp): boolean {
  if (!/[*+?{|]/.test(source)) return true
  if (!unicode || !source.startsWith('^')) return false
  const body = source.slice(1, source.endsWith('$') ? -1 : undefined)
  const part = new RegExp(PART)
  /** What stands before and may come any number of times. */
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

/** A character, or one of a class, and how often it comes. */
const PART = /(\[(?:\\.|[^\\\]])*\]|\\[dDsSwW]|\\[^a-zA-Z\d]|[^\\^$|?*+()[\]{}])([*+?]|\{\d+(?:,\d*)?\})?/suy

/** True for a single character that can't be one of the other atom. */
function isOther(atom: string, other: string, flags: string): boolean {
  const isCharacter = atom.startsWith('\\') ? !/[a-zA-Z]/.test(atom) : atom !== '.' && !atom.startsWith('[')
  return isCharacter && !new RegExp(`^${other}$`, flags).test(atom.replace('\\', ''))
}
