/** Fixes the arguments of a failed call if the error message names a valid value. */

import type { PastCall } from './conversation.ts'
import type { Filling } from './fill/fill.ts'
import { isObject, parseJson } from './json.ts'
import type { Offer } from './tools/catalog.ts'
import type { Parameter } from './tools/parameters.ts'
import { stem } from './words/stem.ts'

/** Returns new arguments that follow the error message, or undefined if the message suggests no value. */
export function repairedArguments(
  { result = '', arguments: text }: PastCall,
  { args }: Filling,
  { parameters }: Offer,
): ReadonlyMap<string, unknown> | undefined {
  const message = result.slice(0, 1000)
  const used = argumentsOf(text) ?? args
  for (const parameter of parameters) {
    if (!mentions(message, parameter.name) && used.size !== 1) continue
    const current = used.get(parameter.name)
    const value = suggestion(message, parameter, current)
    if (value === undefined || value === current) continue
    return new Map([...used, [parameter.name, value]])
  }
  return undefined
}

/** Cues that precede the values suggested by a message. */
const CUES = /\b(?:did you mean|one of|allowed|expected|must be|valid|available|try|known|nearest|choose|options)\b/i

/**
 * Matches values without quotes, up to the end of the sentence. After the other cues, such words only describe a value: `must be
 * lowercase`.
 */
const UNQUOTED =
  /\b(?:did you mean|(?:one of|allowed|valid|available|known|choose|options)\b[^.:]*:|one of)[\s:]*(.+?)\s*(?:[.?!](?:\s|$)|$)/is

/** Returns the value after a cue that is nearest to the current one. A single suggestion is returned unchanged. */
function suggestion(message: string, { type, name }: Parameter, current: unknown): string | number | undefined {
  const cue = CUES.exec(message)
  if (cue === null || (type !== 'string' && type !== 'any')) return undefined
  const tail = message.slice(cue.index)
  const quoted = [...tail.matchAll(/["'`“]([^"'`”]{1,80})["'`”]/g)].flatMap((match) => match[1] ?? [])
  const values = (quoted.length > 0 ? quoted : (UNQUOTED.exec(tail)?.[1]?.split(/,\s*|\s+or\s+/) ?? []))
    .map((value) => value.trim())
    .filter((value) => value !== '' && value !== name && value !== current && value.length < 60 && !/\s.*\s.*\s/.test(value))
  if (values.length === 1) return values[0]
  const near = values.filter((value) => typeof current === 'string' && isNear(value, current))
  return near.length === 1 ? near[0] : undefined
}

function isNear(one: string, other: string): boolean {
  const [first, second] = [stem(one), stem(other)]
  return (
    first === second ||
    first.startsWith(second) ||
    second.startsWith(first) ||
    (first.length > 3 && first.slice(0, 3) === second.slice(0, 3))
  )
}

function mentions(message: string, name: string): boolean {
  return message.toLowerCase().includes(name.toLowerCase())
}

function argumentsOf(text: string): ReadonlyMap<string, unknown> | undefined {
  const value = parseJson(text)
  return isObject(value) ? new Map(Object.entries(value)) : undefined
}
