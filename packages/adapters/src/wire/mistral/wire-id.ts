/** Converts call ids to the form that Mistral requires: nine letters or digits. Equal ids always give equal results. */

/**
 * Returns a valid id unchanged, and replaces any other id with its hash. There are 62^9 possible ids, about 2^53.6. If every conversation
 * had a thousand calls, two ids would collide in about one of 27 billion conversations.
 */
export function toMistralId(id: string): string {
  if (LEGAL.test(id)) return id
  let rest = hash(id)
  let wireId = ''
  while (wireId.length < LENGTH) {
    wireId += DIGITS[Number(rest % BASE)]
    rest /= BASE
  }
  return wireId
}

const LENGTH = 9
const LEGAL = /^[a-zA-Z0-9]{9}$/
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(DIGITS.length)

/** Computes a 64-bit FNV-1a hash over UTF-16 units: http://www.isthe.com/chongo/tech/comp/fnv. */
function hash(text: string): bigint {
  let value = 0xcbf29ce484222325n
  for (let index = 0; index < text.length; index++)
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n)
  return value
}
