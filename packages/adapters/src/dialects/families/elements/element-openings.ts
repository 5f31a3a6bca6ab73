/** With what the tags of tools begin, as few markers: a pattern of a thousand whole names would take seconds to make. */
import type { Marker } from '../../engine/marker.ts'

/** Spaces that may surround a name in its tag. */
const SPACES = ['', ' ', '\n']
const MOST_HEADS = 32
const LONGEST_HEAD = 8
/** The name of the tag in which such models reason. */
export const REASONING = 'think'

/** What opens the elements of these names: a beginning of the tag, or all of it. No other tag of the grammar begins so. */
export function openingsOf(names: readonly string[]): Marker {
  const others = names.filter((name) => !REASONING.startsWith(name))
  const begun = [...headsOf(others)].flatMap((head) => SPACES.map((space) => `<${space}${head}`))
  // Until such a tag ends, it may be the one of the reasoning.
  const whole = names.filter((name) => name !== REASONING && REASONING.startsWith(name)).flatMap(wholeTags)
  return [...begun, ...whole]
}

/** As many units of each name as give a small set: the longer they are, the less text has to be looked at. */
function headsOf(names: readonly string[]): ReadonlySet<string> {
  let heads = new Set<string>()
  for (let length = LONGEST_HEAD; length > 0; length--) {
    heads = new Set(names.map((name) => headOf(name, length)))
    if (heads.size <= MOST_HEADS) break
  }
  return heads
}

/** One unit more than what reasoning begins with, at the least. */
function headOf(name: string, length: number): string {
  let end = length
  while (REASONING.startsWith(name.slice(0, end))) end++
  return name.slice(0, end)
}

function wholeTags(name: string): readonly string[] {
  return ['>', '/>'].flatMap((end) => SPACES.flatMap((left) => SPACES.map((right) => `<${left}${name}${right}${end}`)))
}
