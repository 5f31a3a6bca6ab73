/** Detects secret values in a call. A value is secret if the schema marks it as `writeOnly`, or if a key on its path looks secret. */

import type { SchemaNode } from '../../schema.ts'
import { linkedSchemaOf } from '../references/linked-schema.ts'
import { refers } from '../steps.ts'
import { subschemasOf } from '../subschemas.ts'
import type { SchemaPlace } from './places.ts'

/** Words, in the singular, that mark a name as secret. Numbers after a word are ignored. */
const WORDS = new Set(
  `password passwd passphrase passcode pwd pin cvv cvc secret token jwt otp totp cookie
  authorization auth credential apikey`.split(/\s+/),
)
const PAIRS = new Set(
  ['api', 'private', 'access', 'secret', 'signing', 'encryption']
    .map((word) => `${word} key`)
    .concat('pass word', 'pass phrase', 'pass code', 'connection string'),
)
/** Endings that mark a compound word in lower case as secret: `clientsecret`. */
const ENDS = [
  ...['password', 'passwd', 'passphrase', 'secret', 'token'],
  ...['apikey', 'accesskey', 'privatekey', 'secretkey', 'connectionstring'],
]
/** A fast filter: every secret name contains one of these, and most other names don't. */
const TRACE = /pass|pwd|secret|token|auth|credential|pin|cvv|cvc|key|jwt|otp|cookie|connection/iu
/** Words that turn "tokens" in the same name into a measure of text: `max_tokens`. */
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

/** Splits a name into words without trailing numbers. `DBPassword` has two words, `JWTs` has one. */
function wordsIn(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])(?=[A-Z][a-z])(?![A-Z]s(?![a-z]))/g, '$1 ')
    .toLowerCase()
    .split(/\d*(?:[^a-z0-9]+|$)/)
}

/** True if the schema marks a value at this place as `writeOnly`, or may do so. */
export function hides({ schemas, isPartial }: SchemaPlace): boolean {
  return isPartial || schemas.some(isWriteOnly)
}

function isWriteOnly({ writeOnly }: SchemaNode): boolean {
  return writeOnly === true
}

const hiding = new WeakMap<object, boolean>()

/** True if the schema contains `writeOnly`. Most schemas don't, so the search for hidden places can be skipped. */
export function mayHide(schema: object): boolean {
  const known = hiding.get(schema)
  if (known !== undefined) return known
  const mayFind = subschemasOf(schema).some(({ node }) => isWriteOnly(node) || refers(node))
  const may = mayFind && linkedSchemaOf(schema).nodes.some(isWriteOnly)
  hiding.set(schema, may)
  return may
}
