/** The ids of calls as Mistral takes them: nine letters and digits, the same ones for the same id. */

/**
 * A legal id, as every one of Mistral's own is, stays as it is. Any other becomes its hash. There are 62^9 such ids, about 2^53.6:
 * among a thousand calls of one conversation two get the same one by chance once in 27 thousand million conversations.
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

/** FNV-1a of 64 bits over UTF-16 units: http://www.isthe.com/chongo/tech/comp/fnv. */
function hash(text: string): bigint {
  let value = 0xcbf29ce484222325n
  for (let index = 0; index < text.length; index++)
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n)
  return value
}
