/** Removes known secrets from a text, however they are escaped in it. */

/**
 * Returns a function that replaces each of the secrets with `[redacted]`, as it is or escaped for JSON, a URL or HTML, even twice. The
 * secrets are read at the first call.
 */
export function spellingRedactor(secrets: Iterable<string>): (text: string) => string {
  let searches: readonly ((text: string) => string)[] | undefined
  return (text) => {
    // Replaces longer secrets first, because one secret may contain another.
    searches ??= [...new Set(secrets)].sort((one, other) => other.length - one.length).map(redactorOf)
    return searches.reduce((words, search) => search(words), text)
  }
}

/** A pattern for a long secret would overflow the stack, so its parts are matched one after the other. */
const MAX_PART = 200

function redactorOf(secret: string): (text: string) => string {
  // Backslashes in a row are one part, because each may be written as several: pairs of them could be divided in many ways.
  const characters = secret.match(/\\+|[^\\]/gsu) ?? []
  const parts: RegExp[] = []
  for (let at = 0; at < characters.length; at += MAX_PART) {
    const part = characters.slice(at, at + MAX_PART).map(spellingsOf)
    parts.push(new RegExp(part.join(''), at === 0 ? 'g' : 'y'))
  }
  const [first, ...others] = parts
  return (text) => {
    if (first === undefined) return text
    let kept = ''
    let end = 0
    first.lastIndex = 0
    for (let found = first.exec(text); found !== null; found = first.exec(text)) {
      const last = endOf(others, text, first.lastIndex)
      if (last === undefined) first.lastIndex = found.index + 1
      else {
        kept += `${text.slice(end, found.index)}[redacted]`
        end = first.lastIndex = last
      }
    }
    return kept + text.slice(end)
  }
}

/** Returns where the parts end that start at `at`. Undefined if one of them doesn't match. */
function endOf(parts: readonly RegExp[], text: string, at: number): number | undefined {
  let end = at
  for (const part of parts) {
    part.lastIndex = end
    if (!part.test(text)) return undefined
    end = part.lastIndex
  }
  return end
}

/** Every repetition is bounded, so that a search takes linear time. */
function spellingsOf(part: string): string {
  const [character = ''] = part
  const code = character.codePointAt(0) ?? 0
  const units = character.split('').map((unit) => String.raw`\\{1,8}u${hex(unit.charCodeAt(0), 4)}`)
  const bytes = [...new TextEncoder().encode(character)].map((byte) => `%(?:25){0,3}${hex(byte, 2)}`)
  const reference = `&(?:amp;){0,3}(?:#0{0,6}${code};|#[xX]0{0,6}${hex(code, 1)};${NAMES[character] ?? ''})`
  const count = character === '\\' ? part.length : 1
  return `(?:${literal(character, count)}|(?:${units.join('')}|${bytes.join('')}|${reference}){${count}})`
}

/** In JSON, quotes, backslashes and sometimes slashes have a backslash before them. A form writes a space as `+`. */
function literal(character: string, count: number): string {
  if (character === ' ') return '[ +]'
  const own = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  if (character.length > 1) return character
  if (character === '\\') return String.raw`\\{${count},${8 * count}}`
  return '"/'.includes(character) ? String.raw`\\{0,8}${own}` : own
}

/** Returns a pattern for a hexadecimal number in upper or lower case. */
function hex(code: number, length: number): string {
  return code
    .toString(16)
    .padStart(length, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}

const NAMES: Readonly<Record<string, string>> = { '&': '|amp;', '<': '|lt;', '>': '|gt;', '"': '|quot;', "'": '|apos;' }
