/** Which values of a call are secret: by the schema's `writeOnly`, or by a name on the way to them. */
import { schemasOnTheWay } from './places.ts'

const WORDS = new Set(
  'password passwords passwd passphrase pwd secret secrets token authorization auth credential credentials pin cvv cvc apikey'.split(
    ' ',
  ),
)
const PAIRS = new Set(['api key', 'private key', 'access key', 'secret key', 'signing key', 'pass word', 'pass phrase'])
const MAX_NAME = 200

/** True for `password`, `apiKey`, `X-Auth-Token`; false for `max_tokens`, `secretary`. */
export function looksSecret(name: string): boolean {
  const words = name
    .slice(0, MAX_NAME)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return words.some((word, index) => WORDS.has(word) || PAIRS.has(`${word} ${words[index + 1]}`))
}

/** True when the value at this place must not be repeated in words. */
export function isSecretAt(schema: object, keys: readonly string[]): boolean {
  return (
    keys.some(looksSecret) || schemasOnTheWay(schema, keys).some((nodes) => nodes.some(({ writeOnly }) => writeOnly === true))
  )
}
