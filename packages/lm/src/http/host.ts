/** The other side of every request: its name, and its words made fit for an error message. */
import { oneLine } from '../errors.ts'

export interface Host {
  readonly name: string
  /** The beginning of a foreign text: on one line, at most 300 characters unless told, without the keys that were sent. */
  quote(text: string, length?: number): string
  /** The same host, as a request knows it that carries the keys in these headers too. */
  hiding(headers: Readonly<Record<string, string>>): Host
}

export function createHost(url: string, headers: Readonly<Record<string, string>>, apiKey = ''): Host {
  const { host, search } = new URL(url)
  return hostOf(host, [apiKey, ...secretsIn(headers), ...secretsOfQuery(search)])
}

function hostOf(name: string, keys: readonly string[]): Host {
  // A key may be part of a longer one, of which nothing must be left either.
  const secrets = [...new Set(keys)].filter((key) => key.length >= MIN_SECRET).sort((a, b) => b.length - a.length)
  return {
    name,
    quote(text, length = 300) {
      const safe = secrets.reduce((words, secret) => words.replaceAll(secret, '[redacted]'), text)
      return oneLine(safe, length)
    },
    hiding: (headers) => hostOf(name, [...secrets, ...secretsIn(headers)]),
  }
}

/** A shorter one is a placeholder for a local server; taking it out would spoil other words. */
const MIN_SECRET = 8

function secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (/cookie/i.test(name)) return value.split(';').map(cookieValue)
    return isSecret(name) ? [value.split(' ').at(-1) ?? ''] : []
  })
}

/** The value of `name=value`, without the quotes that it may stand in. */
function cookieValue(cookie: string): string {
  const value = cookie.slice(cookie.indexOf('=') + 1).trim()
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}

/** As they were sent, and as a host reads them: it may show either. */
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
  return /auth|key|token|secret|cookie/i.test(name)
}
