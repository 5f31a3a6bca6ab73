/**
 * Removes likely secrets from text that is stored or exported: values whose name suggests a secret, tokens in known formats, and passwords
 * in URLs. For known secrets, use `spellingRedactor`. The `redact` of tool-core is for models: it keeps the text after an array or object.
 */

export { spellingRedactor } from '@x/tool-core'

/**
 * Replaces each likely secret with `[redacted]`. In complete JSON, a string stays a string. A secret is recognized by its format
 * or by the name before it, so secrets in prose are missed ("my word is swordfish"). Some harmless values are replaced too.
 * `name` is the key of the text in its object; if it suggests a secret, the whole text is replaced. Text that is already redacted
 * isn't changed. Takes linear time.
 */
export function redactSecrets(text: string, name?: string): string {
  if (name !== undefined && text !== '' && namesSecret(name)) return REDACTED
  return redactKnown(redactNamed(text))
}

const REDACTED = '[redacted]'

/** Matches a name that suggests a secret, the rest of that name, and the characters between the name and its value. */
const NAMED =
  /(?:password|passwd|passphrase|pwd|secret|token(?!s)|authorization|api[-_ ]?key|access[-_]?key|private[-_]?key|credential|cookie|session[-_]?id)[\w-]{0,64}\\{0,8}["']?\s{0,16}(?:=>|[:=])\s{0,16}/gi

function namesSecret(name: string): boolean {
  NAMED.lastIndex = 0
  return NAMED.test(`${name}:`)
}

function redactNamed(text: string): string {
  const kept: string[] = []
  let end = 0
  NAMED.lastIndex = 0
  for (let found = NAMED.exec(text); found !== null; found = NAMED.exec(text)) {
    const start = NAMED.lastIndex
    const value = valueAt(text, start, /^(?:authorization|cookie)/i.test(found[0]))
    kept.push(text.slice(end, value.start), value.end > value.start ? REDACTED : '')
    end = value.end
    NAMED.lastIndex = Math.max(end, start)
  }
  return kept.join('') + text.slice(end)
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Returns the range of a value, without its quotes. The value of an array or object extends to the end of the text. */
function valueAt(text: string, at: number, isHeader: boolean): Range {
  const quote = /\\{0,8}["']/y
  quote.lastIndex = at
  const opening = quote.exec(text)?.[0]
  if (opening !== undefined) return quotedAt(text, at + opening.length, opening)
  if (text.startsWith(REDACTED, at)) return { start: at, end: at + REDACTED.length }
  if (text[at] === '{' || text[at] === '[') return { start: at, end: text.length }
  const bare = isHeader ? /[^\r\n"']*/y : /[^\s,;&"'<>)}\]\\]*/y
  bare.lastIndex = at
  return { start: at, end: at + (bare.exec(text)?.[0].length ?? 0) }
}

/**
 * Returns the range of a quoted value. Its closing quote is preceded by at most as many backslashes as its opening quote; quotes
 * in nested JSON are preceded by more.
 */
function quotedAt(text: string, start: number, opening: string): Range {
  const quote = opening.slice(-1)
  const depth = opening.length - 1
  for (let at = text.indexOf(quote, start); at >= 0; at = text.indexOf(quote, at + 1)) {
    let backslashes = 0
    while (backslashes <= depth && text[at - 1 - backslashes] === '\\' && at - 1 - backslashes >= start) backslashes++
    if (backslashes <= depth) return { start, end: at - backslashes }
  }
  return { start, end: text.length }
}

/** Patterns for secrets in known formats. Each starts at a word boundary, so that a long word is scanned only once. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer)(\s{1,16})[\w.~+/=-]{8,}/gi, `$1$2${REDACTED}`],
  [/-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,32}PRIVATE KEY-----|$)/g, REDACTED],
  [/(?<![\w.-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, REDACTED],
  [/(?<![\w-])(?:sk|pk|rk)[-_][\w-]{16,}/g, REDACTED],
  [/(?<![\w-])(?:gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|hf_|npm_)[\w-]{10,}/g, REDACTED],
  [/(?<![\w-])(?:AKIA|ASIA)[A-Z0-9]{16}(?!\w)/g, REDACTED],
  [/(?<![\w-])AIza[\w-]{30,}/g, REDACTED],
  [/(:\/\/)[^\s/@:"']{0,128}:[^\s/@"']{1,512}@/g, `$1${REDACTED}@`],
]

function redactKnown(text: string): string {
  return KNOWN.reduce((left, [form, words]) => left.replace(form, words), text)
}
