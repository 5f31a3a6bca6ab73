/** Valid tool names, and suggestions for an unknown name. */

import { ToolError } from '../errors.ts'
import { editDistance } from './edit-distance.ts'

const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/

export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && TOOL_NAME.test(name)
}

/** Throws `invalid_definition` unless the name is an identifier of at most 64 characters, which every provider accepts. */
export function assertToolName(name: unknown, owner: string): asserts name is string {
  if (isToolName(name)) return
  throw new ToolError(
    'invalid_definition',
    `${owner}: invalid tool name ${JSON.stringify(name)}. Use letters, digits and "_", not starting with a digit, at most 64 characters.`,
  )
}

/**
 * Returns up to `limit` names that an unknown name may have meant, nearest first. A name is near if its spelling is close or if it shares
 * a whole word (`search` finds `web_search`). Empty if no name is near. Default limit: 3.
 */
export function nearestNames(wrong: string, names: Iterable<string>, limit = 3): readonly string[] {
  const most = limit >= 1 ? Math.floor(limit) : 0
  if (most === 0) return []
  const target = plain(wrong.slice(0, 200))
  const nearest: NearName[] = []
  for (const name of names) {
    const candidate = plain(name)
    // Once the list is full, only a nearer name counts.
    const allowed = Math.min(allowedDistance(target, candidate), nearest[most - 1]?.distance ?? Infinity)
    const distance = wordDistance(target, candidate) ?? editDistance(target, candidate, allowed)
    if (distance <= allowed) insert(nearest, { name, distance }, most)
  }
  return nearest.map(({ name }) => name)
}

interface NearName {
  readonly name: string
  readonly distance: number
}

/** Matches a name that has to be normalised. Most tool names don't. */
const NOT_PLAIN = /[^a-z0-9_]|__/

/** `getWeather` and `get-weather` as `get_weather`. */
function plain(name: string): string {
  if (!NOT_PLAIN.test(name)) return name
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  return words.replace(/[^a-z0-9]+/g, '_')
}

/** A third of the longer name's length. */
function allowedDistance(a: string, b: string): number {
  return Math.max(1, Math.floor(Math.max(a.length, b.length) / 3))
}

/** 0 for equal names, 1 if one is a whole word of the other. */
function wordDistance(a: string, b: string): number | undefined {
  if (a === b) return 0
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short.length >= 4 && long.includes(short) && `_${long}_`.includes(`_${short}_`) ? 1 : undefined
}

function isNearer(a: NearName, b: NearName): boolean {
  return a.distance < b.distance || (a.distance === b.distance && a.name < b.name)
}

/** Inserts a name in order, and drops the last one if the list is too long. */
function insert(nearest: NearName[], found: NearName, most: number): void {
  const place = nearest.findIndex((one) => isNearer(found, one))
  nearest.splice(place === -1 ? nearest.length : place, 0, found)
  if (nearest.length > most) nearest.pop()
}
