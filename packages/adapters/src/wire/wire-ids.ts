/** Ids of calls for APIs that don't take every id. */
import { shortHash } from '../shaping/names.ts'

/**
 * For APIs that take letters, digits, `_` and `-` only: Anthropic, Bedrock. The id itself where it is legal, else one that is made of it:
 * always the same, and not the one of another id.
 */
export function toSafeId(id: string): string {
  if (LEGAL.test(id)) return id
  return `${id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash(id)}`
}

/** Bedrock's limit; Anthropic states none. */
const MAX_LENGTH = 64
const LEGAL = /^[a-zA-Z0-9_-]{1,64}$/
const HASH_LENGTH = 14

/** Of the id from both ends: 64 bits in base 36. */
function hash(id: string): string {
  return shortHash(id) + shortHash([...id].reverse().join(''))
}

/** For APIs with a limit: the same short id for the same long one. */
export function shortIds(maxLength: number): (id: string) => string {
  return (id) => {
    if (id.length <= maxLength) return id
    // Two hashes from two starts: ids of one provider often differ in few places only.
    const mark = `_${shortHash(id)}${shortHash(`.${id}`)}`
    return id.slice(0, maxLength - mark.length) + mark
  }
}
