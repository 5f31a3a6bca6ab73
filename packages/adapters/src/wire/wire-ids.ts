/** Converts call ids for APIs that don't accept every id. */
import { longHash, shortHash } from '../shaping/names.ts'

/**
 * Converts an id for APIs that accept only letters, digits, `_` and `-`: Anthropic and Bedrock. Returns a valid id unchanged. Appends a
 * hash of the original to any other id, so that different ids stay different.
 */
export function toSafeId(id: string): string {
  if (LEGAL.test(id)) return id
  return `${id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash(id)}`
}

/** Maximum length on Bedrock. Anthropic documents no limit. */
const MAX_LENGTH = 64
const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/
const HASH_LENGTH = 14

/** Returns a 64-bit hash in base 36: the hash of the id, followed by the hash of the reversed id. */
function hash(id: string): string {
  return shortHash(id) + shortHash([...id].reverse().join(''))
}

/** Creates a function that shortens ids for APIs with a length limit. Equal ids always give equal results. */
export function shortIds(maxLength: number): (id: string) => string {
  return (id) => {
    if (id.length <= maxLength) return id
    const mark = `_${longHash(id)}`
    return id.slice(0, maxLength - mark.length) + mark
  }
}
