/** The other side of every request: its name, and its words made fit for an error message. */

export interface Host {
  readonly name: string
  /** The beginning of a foreign text: on one line, at most 300 characters unless told, without the keys that were sent. */
  quote(text: string, length?: number): string
}

export function createHost(url: string, headers: Readonly<Record<string, string>>, apiKey = ''): Host {
  const secrets = [apiKey, ...secretsIn(headers)].filter((secret) => secret.length >= MIN_SECRET)
  return {
    name: new URL(url).host,
    quote(text, length = 300) {
      const safe = secrets.reduce((words, secret) => words.replaceAll(secret, '[redacted]'), text)
      return safe.trimStart().slice(0, length).replace(/\s+/g, ' ').trimEnd()
    },
  }
}

/** A shorter one is a placeholder for a local server; taking it out would spoil other words. */
const MIN_SECRET = 8

function secretsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => /auth|key|token|secret|cookie/i.test(name))
    .map(([, value]) => value.split(' ').at(-1) ?? '')
}
