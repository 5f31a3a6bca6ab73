/** Removes known secrets from a text, however they are escaped in it. */

/**
 * Returns a function that replaces each of the secrets with `[redacted]`, as it is or escaped for JSON, a URL or HTML, even twice.
 */
export function spellingRedactor(secrets: readonly string[]): (text: string) => string {
  // Replaces longer secrets first, because one secret may contain another.
  const sorted = secrets.toSorted((one, other) => other.length - one.length)
  return (text) => {
    let words = text
    for (const secret of sorted) words = withoutSecret(words, sourcesOf(secret))
    return words
  }
}

/** A pattern for a long secret would overflow the stack, so its parts are matched one after the other. */
const MAX_PART = 200

/** Returns the patterns of the parts. */
function sourcesOf(secret: string): readonly string[] {
  const text = secret.toWellFormed()
  const sources: string[] = []
  const part = /\\+|[^\\]/gsu
  let source = ''
  let end = 0
  // Backslashes in a row are one part, because each may be written as several: pairs of them could be divided in many ways.
  for (let count = 1; part.test(text); count++) {
    source += spellingsOf(text.slice(end, part.lastIndex))
    end = part.lastIndex
    if (count % MAX_PART > 0) continue
    sources.push(source)
    source = ''
  }
  return source === '' ? sources : [...sources, source]
}

function withoutSecret(text: string, sources: readonly string[]): string {
  const first = new RegExp(sources[0] ?? '(?!)', 'g')
  let kept = ''
  let end = 0
  for (let found = first.exec(text); found !== null; found = first.exec(text)) {
    const last = endOf(sources, text, first.lastIndex)
    if (last === undefined) first.lastIndex = found.index + 1
    else {
      kept += `${text.slice(end, found.index)}[redacted]`
      end = first.lastIndex = last
    }
  }
  return kept + text.slice(end)
}

/** Returns where the parts after the first one end, if they start at `at`. Undefined if one of them doesn't match. */
function endOf(sources: readonly string[], text: string, at: number): number | undefined {
  let end = at
  for (let index = 1; index < sources.length; index++) {
    const part = new RegExp(sources[index] ?? '', 'y')
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
  let units = ''
  for (let at = 0; at < character.length; at++) units += String.raw`\\{1,8}u${hex(character.charCodeAt(at), 4)}`
  const inUrl = code < 128 ? `%${code.toString(16).padStart(2, '0')}` : encodeURIComponent(character)
  const bytes = anyCase(inUrl).replaceAll('%', '%(?:25){0,3}')
  const reference = `&(?:amp;){0,3}(?:#0{0,6}${code};|#[xX]0{0,6}${hex(code, 1)};${NAMES[character] ?? ''})`
  const count = character === '\\' ? part.length : 1
  return `(?:${literal(character, count)}|(?:${units}|${bytes}|${reference}){${count}})`
}

/** In JSON, quotes, backslashes and sometimes slashes have a backslash before them. A form writes a space as `+`. */
function literal(character: string, count: number): string {
  if (character === ' ') return '[ +]'
  const own = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  if (character.length > 1) return character
  if (character === '\\') return String.raw`\\{${count},${8 * count}}`
  return '"/'.includes(character) ? String.raw`\\{0,8}${own}` : own
}

function hex(code: number, length: number): string {
  return anyCase(code.toString(16).padStart(length, '0'))
}

/** Returns a pattern for hexadecimal digits in upper or lower case. */
function anyCase(digits: string): string {
  return digits.replace(/[a-f]/gi, (digit) => `[${digit.toLowerCase()}${digit.toUpperCase()}]`)
}

const NAMES: Readonly<Record<string, string>> = { '&': '|amp;', '<': '|lt;', '>': '|gt;', '"': '|quot;', "'": '|apos;' }
