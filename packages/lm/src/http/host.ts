/** The host of a request. Has a name, and quotes the host's texts in error messages without secrets. */
import { spellingRedactor } from '@x/adapters/redact'
import { oneLine } from '../errors.ts'

export interface Host {
  readonly name: string
  /**
   * Returns the start of a text on one line, with the request's keys redacted. `length` is the maximum number of characters.
   * Default: 300.
   */
  quote(text: string, length?: number): string
  /** Returns a host that also redacts the keys in these headers. */
  hiding(headers: Readonly<Record<string, string>>): Host
}

export function createHost(url: string, headers: Readonly<Record<string, string>>, apiKey = ''): Host {
  const { host, search } = new URL(url)
  return hostOf(host, [apiKey, ...secretsIn(headers), ...secretsOfQuery(search)])
}

function hostOf(name: string, keys: readonly string[]): Host {
  const withoutKeys = spellingRedactor([...new Set(keys)].filter((key) => key.length >= MIN_SECRET))
  return {
    name,
    quote(text, length = 300) {
      return oneLine(withoutKeys(text), length)
    },
    hiding: (headers) => hostOf(name, [...keys, ...secretsIn(headers)]),
  }
}

/** Minimum length of a key. Shorter keys are placeholders for local servers; redacting them would remove ordinary text. */
const MIN_SECRET = 8

function secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (/cookie/i.test(name)) return value.split(';').map(cookieValue)
    return isSecret(name) ? credentialsIn(value) : []
  })
}

/**
 * Returns the secrets in a header: the words of its value, the values in `name="value"`, and the password of `Basic`. Leaves out
 * a scheme such as `Bearer`.
 */
function credentialsIn(value: string): readonly string[] {
  const words = value.trim().split(/[\s,]+/)
  const basic = /^basic$/i.test(words[0] ?? '') ? [passwordIn(words[1] ?? '')] : []
  return [...words.slice(words.length > 1 ? 1 : 0).flatMap((word) => [word, cookieValue(word)]), ...basic]
}

function passwordIn(base64: string): string {
  try {
    const pair = atob(base64)
    return pair.slice(pair.indexOf(':') + 1)
  } catch {
    return ''
  }
}

/** Returns the value in `name=value`, without its quotes. */
function cookieValue(cookie: string): string {
  const value = cookie.slice(cookie.indexOf('=') + 1).trim()
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}

/** Returns the secrets in a query string, both as sent and decoded, because a host may quote either form. */
function secretsOfQuery(search: string): readonly string[] {
  return search
    .slice(1)
    .split('&')
    .flatMap((field) => {
      const [[name, value] = ['', '']] = new URLSearchParams(field)
      return isSecret(name) ? [value, field.slice(field.indexOf('=') + 1)] : []
    })
}

function isSecret(name: string): boolean {
  return /auth|key|token|secret|cookie|pass|pwd|credential|session|sig(?:nature)?$/i.test(name)
}
