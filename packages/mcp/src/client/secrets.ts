/** Removes secrets from text: tokens, and the values of headers and environment variables. */
import { revealHiddenCharacters } from '@x/registry'
import { spellingRedactor } from '@x/tool-core'
import type { McpAuth, McpServer } from './options.ts'
import { isStdio } from './options.ts'

/** Minimum length of a secret. Removing shorter values would damage ordinary words. */
const MIN_LENGTH = 8

export interface Secrets {
  /** The caller's provider, wrapped to remember its tokens so that they can be redacted. */
  readonly auth: McpAuth | undefined
  /** Removes tokens and the values of headers and variables from a server's text. */
  redact(text: string): string
  /** Returns an error's message, redacted and shortened. A message may contain a whole page from the server. */
  wordsOf(error: unknown): string
}

const MAX_WORDS = 1_000
/** Maximum number of tokens to remember. A provider may return another one for each request, and only the latest are valid. */
const MAX_TOKENS = 100

export function secretsOf(server: McpServer): Secrets {
  const known = new Set<string>()
  const tokens = new Set<string>()
  const remember = (value: unknown, kept = known, depth = 0): void => {
    if (typeof value === 'string') {
      kept.delete(value) // The latest is at the end.
      if (value.length >= MIN_LENGTH) kept.add(value)
    } else if (typeof value === 'object' && value !== null && depth < 3)
      for (const member of Object.values(value)) remember(member, kept, depth + 1)
  }
  const rememberToken = (value: unknown): void => {
    remember(value, tokens)
    for (const token of [...tokens].slice(0, -MAX_TOKENS)) tokens.delete(token)
  }
  if (isStdio(server)) remember(server.env)
  else {
    remember(server.headers)
    // Each word counts as a secret, because a value such as "Bearer abc" contains the token "abc".
    for (const value of Object.values(server.headers ?? {})) for (const word of value.split(' ').slice(1)) remember(word)
    const { username, password, searchParams } = new URL(String(server.url))
    for (const part of [username, password]) for (const form of [part, decoded(part)]) remember(form)
    for (const value of searchParams.values()) remember(value)
  }
  const redact = (text: string) => spellingRedactor([...known, ...tokens])(text)
  return {
    redact,
    auth: isStdio(server) ? undefined : server.auth && listening(server.auth, rememberToken),
    wordsOf(error) {
      const words = redact(error instanceof Error ? error.message : String(error))
      const start = revealHiddenCharacters(words.slice(0, MAX_WORDS).toWellFormed())
      return words.length > MAX_WORDS ? `${start}… (${words.length} characters in total)` : start
    },
  }
}

/** Decodes a part of a URL. Returns it unchanged if it contains a `%` that encodes nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Provider methods that return or receive a secret. */
const SECRET_RESULTS: ReadonlySet<unknown> = new Set(['token', 'tokens', 'codeVerifier'])
const SECRET_MEMBERS: ReadonlySet<string> = new Set(['access_token', 'refresh_token', 'id_token', 'client_secret'])

function listening(auth: McpAuth, remember: (value: unknown) => void): McpAuth {
  const secretsIn = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return undefined
    return Object.entries(value).flatMap(([key, member]) => (SECRET_MEMBERS.has(key) ? [member] : []))
  }
  const rememberSecrets = (method: string | symbol, value: unknown) => {
    remember(SECRET_RESULTS.has(method) && typeof value === 'string' ? value : secretsIn(value))
    return value
  }
  return new Proxy(auth, {
    get(target, method) {
      const member: unknown = Reflect.get(target, method, target)
      if (typeof member !== 'function') return member
      return (...given: unknown[]) => {
        for (const value of given) rememberSecrets(method, value)
        const result: unknown = member.apply(target, given)
        return result instanceof Promise
          ? result.then((value) => rememberSecrets(method, value))
          : rememberSecrets(method, result)
      }
    },
  })
}
