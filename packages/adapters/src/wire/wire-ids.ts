/** Call ids for APIs that don't accept every id. */
import { shortHash } from '../shaping/names.ts'

/**
 * Converts ids for APIs that only accept letters, digits, `_` and `-`: Anthropic, Bedrock. Returns a valid id unchanged; otherwise an id
 * derived from it, always the same and distinct from those of other ids.
 */
export function toSafeId(id: string): string {
  if (LEGAL.test(id)) return id
  return `${id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash(id)}`
}

/** Bedrock's limit; Anthropic documents none. */
const MAX_LENGTH = 64
const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/
const HASH_LENGTH = 14

/** A hash of the id from both ends: 64 bits in base 36. */
function hash(id: string): string {
  return shortHash(id) + shortHash([...id].reverse().join(''))
}

/** Shortens ids for APIs with a length limit. The same long id always gives the same short one. */
export function shortIds(maxLength: number): (id: string) => string {
  return (id) => {
    if (id.length <= maxLength) return id
    // Two hashes with two seeds, because ids of one provider often differ in few places.
    const mark = `_${shortHash(id)}${shortHash(`.${id}`)}`
    return id.slice(0, maxLength - mark.length) + mark
  }
}
