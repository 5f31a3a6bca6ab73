/** The keys that stand more than once in the outermost object of a JSON text: a parser keeps only the last of them. */

/** Linear. In a text that is no JSON it may miss some. */
export function repeatedKeys(text: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    // The same object may be written twice; that is no key twice.
    if (character === '{' && depth === 0) seen.clear()
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    if (character !== '"') continue
    const end = endOfText(text, index)
    if (depth === 1 && isKey(text, end)) {
      const key = decode(text.slice(index, end))
      if (seen.has(key)) repeated.add(key)
      seen.add(key)
    }
    index = end - 1
  }
  return repeated
}

/** The place behind the closing quote of the text that begins here. */
function endOfText(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text.charAt(index) !== '"') index += text.charAt(index) === '\\' ? 2 : 1
  return Math.min(index + 1, text.length)
}

function isKey(text: string, end: number): boolean {
  let index = end
  while (index < text.length && ' \t\r\n'.includes(text.charAt(index))) index++
  return text.charAt(index) === ':'
}

function decode(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}
