/** Removes credentials from a string for a model, by format or name. For recordings and telemetry, use `redactSecrets` of adapters. */

/** Replaces each recognized credential with `[redacted]`. Takes linear time for any text. */
export function redact(text: string): string {
  if (text.length < SHORTEST && !/[:=]/.test(text)) return text
  return FORMS.reduce((left, [form, replacement]) => left.replace(form, replacement), text)
}

/** Minimum length of a credential that is recognized by its format alone, without a name in front of it. */
const SHORTEST = 14
const NAMES = [
  ...['password', 'passwd', 'passphrase', 'passcode', 'pwd', 'secret', 'token', 'jwt', 'otp', 'credentials?'],
  ...['(?:api|access|private|secret|signing|encryption)[_-]?keys?', 'connection[_-]?string'],
].join('|')
/** The separator between a name and its value. Its quotes may be escaped, because the text may be JSON inside a JSON string. */
const IS = String.raw`(?:\\{0,3}["'])?\s{0,3}[=:]\s{0,3}(?:\\{0,3}["'])?`
const VALUE = String.raw`(?:(?<=")(?:\\.|[^"\\])*|(?<=')(?:\\.|[^'\\])*|[^\s&;,'"}]+)`

/**
 * Formats of credentials. Every repetition is bounded, or consumes the text that it scans, so 100,000 characters take only milliseconds.
 */
const FORMS: readonly (readonly [form: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]{0,40}PRIVATE KEY-----|[\s\S]*)/g, '[redacted]'],
  [/(:\/\/)[^\s/]{1,200}@/g, '$1[redacted]@'],
  [new RegExp(`\\b(authorization${IS})((?:bearer|basic|digest|token)\\s)?[^\\s"',;]+`, 'gi'), '$1$2[redacted]'],
  [new RegExp(`\\b((?:set-)?cookie${IS})[^\\r\\n"']+`, 'gi'), '$1[redacted]'],
  [/\b(bearer|basic)\s{1,9}[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [new RegExp(`\\b([\\w-]{0,40}(?:${NAMES})\\d{0,3}${IS})${VALUE}`, 'gi'), '$1[redacted]'],
  [/\b(x-[\w-]{0,30}(?:key|token|secret)\s{1,3})(?:(?=\S{0,99}\d)[\w.~+/=-]{8,}|[\w.~+/=-]{20,})/gi, '$1[redacted]'],
  [/\b(?:(?:sk|pk|rk|gh[oprsu]|github_pat|glpat|xox[abeprs]|whsec)[-_][\w-]{12,}|(?:hf|npm)_[A-Za-z0-9]{20,})/g, '[redacted]'],
  [/\b(?:A[KS]IA[A-Z0-9]{12,}|AIza[\w-]{20,}|ya29\.[\w-]{12,}|SG\.[\w-]{12,99}\.[\w-]{12,})/g, '[redacted]'],
  // A JSON Web Token, even a truncated one.
  [/\beyJ[\w-]{5,400}\.[\w-]{5,}(?:\.[\w-]*)?/g, '[redacted]'],
]
