/** Removes known secrets from a text, however they are escaped in it. `redact` finds unknown ones by their format or name. */

/**
 * Returns a function that replaces each of the secrets with `[redacted]`, as it is or escaped for JSON, a URL or HTML, even several times.
 * A text with an escaped secret is returned without its escapes.
 */
export function spellingRedactor(secrets: readonly string[]): (text: string) => string {
  // Replaces longer secrets first, because one secret may contain another.
  const sorted = secrets.toSorted((one, other) => other.length - one.length)
  return (text) => {
    let words = text
    for (const secret of sorted) if (secret !== '') words = words.replaceAll(secret.toWellFormed(), REDACTED)
    const read = plainOf(words)
    if (read === words) return words
    let left = read
    for (const secret of sorted) {
      const plain = plainOf(secret)
      if (plain.length >= MIN_PLAIN) left = left.replaceAll(plain, REDACTED)
    }
    return left === read ? words : left
  }
}

const REDACTED = '[redacted]'
/** Minimum length of a secret without its escapes. A shorter one, such as that of `%41%42`, may be a part of any word. */
const MIN_PLAIN = 6
/** Maximum number of nested escapes. */
const MAX_LEVELS = 8

/**
 * Returns a text without its escapes, and without the characters that are written in several ways. A secret is read in the same way, so it
 * doesn't matter if a part of it only looks like an escape.
 */
function plainOf(text: string): string {
  let plain = text
  for (let level = 0; level < MAX_LEVELS; level++) {
    const next = plain
      .replace(IN_URL, characterInUrl)
      .replace(/&(?:#(\d{1,13})|#x([0-9a-f]{1,12})|([a-z]{2,8}));/gi, characterOf)
      // Matches every run of backslashes, because searching for the end of a run from each of them would take quadratic time.
      .replace(/\\+(?:u([0-9a-f]{4}))?/gi, (run, code?: string) => (code ? String.fromCharCode(Number.parseInt(code, 16)) : run))
    if (next === plain) break
    plain = next
  }
  return plain
    .replace(/\\+[bfnrt]?|[\b\f\n\r\t]/g, '')
    .replaceAll('+', ' ')
    .toWellFormed()
}

/** The bytes of a character in UTF-8. */
const IN_URL = /%(?:[0-7][\da-f]|[cd][\da-f]%[89ab][\da-f]|e[\da-f](?:%[89ab][\da-f]){2}|f[\da-f](?:%[89ab][\da-f]){3})/gi

function characterInUrl(code: string): string {
  try {
    return decodeURIComponent(code)
  } catch {
    return code
  }
}

/** The names that HTML has for characters that occur in keys, each with its character. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['sol', '/'],
  ['plus', '+'],
  ['equals', '='],
  ['percnt', '%'],
])

function characterOf(reference: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMES.get(name.toLowerCase()) ?? reference
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return code <= 0x10_ffff ? String.fromCodePoint(code) : reference
}
