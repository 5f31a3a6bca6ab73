/** Converts thrown values to plain data. */
import type { FailureWords } from '@x/react-agent/steps'
import type { RunFailure } from '../errors.ts'

/** Maximum length of a string in a failure. Longer ones are truncated, because failures are recorded and listed. */
const MOST_CHARACTERS = 2000

export function toFailure(cause: unknown): RunFailure {
  return readable(() => read(cause)) ?? { name: 'Error', message: 'The thrown value could not be read.' }
}

function read(cause: unknown): RunFailure {
  if (typeof cause !== 'object' || cause === null) return { name: 'Error', message: cut(String(cause)) }
  const { name, message, code } = cause as { readonly name?: unknown; readonly message?: unknown; readonly code?: unknown }
  return {
    name: typeof name === 'string' ? cut(name) : 'Error',
    message: typeof message === 'string' ? cut(message) : 'The thrown value is not an error.',
    ...(typeof code === 'string' ? { code: cut(code) } : {}),
  }
}

/** Like `toFailure`, but keeps short properties that a program may need to distinguish errors, such as an HTTP status. */
export function toFailureWords(cause: unknown): FailureWords {
  const failure = toFailure(cause)
  if (typeof cause !== 'object' || cause === null) return { ...failure }
  const entries = readable(() => Object.entries(cause)) ?? []
  const properties = entries.filter(([name, value]) => !RESERVED.has(name) && isShort(value))
  return { ...Object.fromEntries(properties.slice(0, MOST_PROPERTIES)), ...failure }
}

const MOST_PROPERTIES = 16
const LONG = 200
const RESERVED: ReadonlySet<string> = new Set(['stack', 'cause', '__proto__'])

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= LONG
  return typeof value === 'boolean' || Number.isFinite(value)
}

/** Returns the result of `look`, or undefined if it throws. The properties of a thrown value may be getters that throw. */
function readable<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

function cut(words: string): string {
  return words.length <= MOST_CHARACTERS ? words : `${words.slice(0, MOST_CHARACTERS)}…`
}
