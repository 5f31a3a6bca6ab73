/** The other side of every request: its name, and its words made fit for an error message. */

export interface Host {
  readonly name: string
  /** The beginning of a foreign text: on one line, at most 300 characters unless told, without the keys that were sent. */
  quote(text: string, length?: number): string
  /** Takes for keys, beside those known from the beginning, what these headers hold; the latest ones count. */
  hide(headers: Readonly<Record<string, string>>): void
}

export function createHost(url: string, headers: Readonly<Record<string, string>>, apiKey = ''): Host {
  const { host, searchParams } = new URL(url)
  const known = [apiKey, ...secretsIn(headers), ...secretsIn(Object.fromEntries(searchParams))]
  let latest: readonly string[] = []
  return {
    name: host,
    quote(text, length = 300) {
      const secrets = [...known, ...latest].filter((secret) => secret.length >= MIN_SECRET)
      const safe = secrets.reduce((words, secret) => words.replaceAll(secret, '[redacted]'), text)
      return safe.trimStart().slice(0, length).replace(/\s+/g, ' ').trimEnd()
    },
    hide(signed) {
      latest = secretsIn(signed)
    },
  }
}

/** A shorter one is a placeholder for a local server; taking it out would spoil other words. */
const MIN_SECRET = 8

function secretsIn(named: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(named)
    .filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
    .map(([, value]) => value.split(' ').at(-1) ?? '')
}
