/** Finds duplicate keys in the outermost object of JSON text, because a parser keeps only the last value. */

/** Returns the duplicate keys, in linear time. Keys may have single, double or no quotes, since malformed JSON is repaired too. */
export function repeatedKeys(text: string): ReadonlySet<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  let index = 0
  while (index < text.length) {
    const character = text.charAt(index)
    // Several objects in a row may have the same keys.
    if (character === '{' && depth === 0) seen.clear()
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    const end = endOfToken(text, index)
    if (depth === 1 && KEY_START.test(character) && isKey(text, end)) {
      const key = decode(text.slice(index, end))
      if (seen.has(key)) repeated.add(key)
      seen.add(key)
    }
    index = end
  }
  return repeated
}

/** Returns the index after the quoted text, word or single character that starts here. */
function endOfToken(text: string, start: number): number {
  const first = text.charAt(start)
  let index = start + 1
  if (first === '"' || first === "'") {
    while (index < text.length && text.charAt(index) !== first) index += text.charAt(index) === '\\' ? 2 : 1
    return Math.min(index + 1, text.length)
  }
  if (WORD.test(first)) while (WORD.test(text.charAt(index))) index++
  return index
}

const WORD = /[\w./-]/
const KEY_START = /["'\w./-]/

function isKey(text: string, end: number): boolean {
  let index = end
  while (index < text.length && ' \t\r\n'.includes(text.charAt(index))) index++
  return text.charAt(index) === ':'
}

function decode(token: string): string {
  try {
    return String(JSON.parse(token))
  } catch {
    return token.startsWith("'") ? token.slice(1, -1) : token
  }
}
