/** What was thrown, as plain data. */
import type { RunFailure } from './errors.ts'

/** Longer words are cut: a failure is recorded, and listed. */
const MOST_CHARACTERS = 2000

export function toFailure(cause: unknown): RunFailure {
  if (typeof cause !== 'object' || cause === null) return { name: 'Error', message: cut(String(cause)) }
  const { name, message, code } = cause as { readonly name?: unknown; readonly message?: unknown; readonly code?: unknown }
  return {
    name: typeof name === 'string' ? cut(name) : 'Error',
    message: typeof message === 'string' ? cut(message) : 'Something that is no error was thrown.',
    ...(typeof code === 'string' ? { code: cut(code) } : {}),
  }
}

function cut(words: string): string {
  return words.length <= MOST_CHARACTERS ? words : `${words.slice(0, MOST_CHARACTERS)}…`
}
