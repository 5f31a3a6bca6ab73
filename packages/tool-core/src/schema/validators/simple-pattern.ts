/** Patterns that JavaScript's engine reads once, told by their text: to load a proof and another engine takes longer than most first calls. */

/** True where each character of a text is read once, and given back once: at no place is there more than one way to go on. */
export function isSimplePattern({ source, flags, unicode }: RegExp): boolean {
  if (!/[*+?{|]/.test(source)) return true
  const body = /^\^(.*?)\$?$/su.exec(source)?.[1]
  if (body === undefined || !unicode) return false
  const parts = [...body.matchAll(PART)]
  const isRead = parts.reduce((length, [part]) => length + part.length, 0) === body.length
  return isRead && parts.every(([, atom = '', times], index) => isFixed(times) || endsAt(parts[index + 1], atom, flags))
}

/** A character, or one of a class, and how often it comes. */
const PART = /(\[(?:\\.|[^\\\]])*\]|\\[dDsSwW]|\\[^a-zA-Z\d]|[^\\^$|?*+()[\]{}])([*+?]|\{\d+(?:,\d*)?\})?/gsu

function isFixed(times: string | undefined): boolean {
  return times === undefined || /^\{\d+\}$/.test(times)
}

/** True for the end of the pattern, and for a single character that can't be one of those before. */
function endsAt(next: readonly (string | undefined)[] | undefined, atom: string, flags: string): boolean {
  if (next === undefined) return true
  const [, following = '', times] = next
  const character = /^(?:\\([^a-zA-Z])|([^[.]))$/u.exec(following)?.slice(1).join('')
  return times === undefined && character !== undefined && !new RegExp(`^${atom}$`, flags).test(character)
}
