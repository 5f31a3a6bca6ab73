/** Which values of a call are secret: by the schema's `writeOnly`, or by a name on the way to them. */
import { schemasOnTheWay } from './places.ts'
import { subschemasOf } from './subschemas.ts'

/** In the singular; a number behind them says nothing. */
const WORDS = new Set(
  `password passwd passphrase passcode pwd pin cvv cvc secret token jwt otp totp cookie
  authorization auth credential apikey`.split(/\s+/),
)
const PAIRS = new Set(
  ['api', 'private', 'access', 'secret', 'signing', 'encryption']
    .map((word) => `${word} key`)
    .concat('pass word', 'pass phrase', 'pass code', 'connection string'),
)
/** Of words that were joined in lower case: `clientsecret`. */
const ENDS = 'password passwd passphrase secret token apikey accesskey privatekey secretkey connectionstring'.split(' ')
/** Each of them holds one of these; most names hold none. */
const TRACE = /pass|pwd|secret|token|auth|credential|pin|cvv|cvc|key|jwt|otp|cookie|connection/iu
/** With one of these, tokens are what a text is counted in. */
const COUNTS =
  /^(?:(?:max|min|total|num)(?:tokens)?|count|limit|per|prompt|completion|input|output|used|usage|budget|cached|reasoning|remaining)$/
const MAX_NAME = 200

/** True for `password1`, `apiKeys`, `DBPassword`, `X-Auth-Token`; false for `max_tokens`, `secretary`. */
export function looksSecret(name: string): boolean {
  const start = name.slice(0, MAX_NAME)
  if (!TRACE.test(start)) return false
  const words = wordsIn(start)
  return words.some((word, index) => {
    const single = word.replace(/s$/, '')
    if (single !== word && single.endsWith('token')) return !words.some((other) => COUNTS.test(other))
    if (WORDS.has(single) || ENDS.some((end) => single.endsWith(end))) return true
    return PAIRS.has(`${word} ${words[index + 1]?.replace(/s$/, '')}`)
  })
}

/** `DBPassword` is two words, `JWTs` one; without the number behind them. */
function wordsIn(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))/g, '$1 ')
    .toLowerCase()
    .split(/\d*(?:[^a-z0-9]+|$)/)
}

/** True when the value at this place must not be repeated in words. */
export function isSecretAt(schema: object, keys: readonly string[]): boolean {
  if (keys.some(looksSecret)) return true
  return mayHide(schema) && schemasOnTheWay(schema, keys).some((nodes) => nodes.some(({ writeOnly }) => writeOnly === true))
}

const hiding = new WeakMap<object, boolean>()

/** False for most schemas, which no bad call has to search then. A reference may lead to where no schema is looked for. */
function mayHide(schema: object): boolean {
  const known = hiding.get(schema)
  if (known !== undefined) return known
  const may = subschemasOf(schema).some(({ node }) => node.writeOnly === true || typeof node.$ref === 'string')
  hiding.set(schema, may)
  return may
}
