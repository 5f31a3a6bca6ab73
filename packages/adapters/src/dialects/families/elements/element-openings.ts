/** Builds a few markers from the common prefixes of tool names. Compiling a pattern of a thousand whole names would take seconds. */
import type { Marker } from '../../engine/marker.ts'

/** Spaces that may surround a name in its tag. */
const SPACES = ['', ' ', '\n']
const MOST_HEADS = 32
const LONGEST_HEAD = 8
/** The name of the tag around the reasoning of models that use such tags. */
export const REASONING = 'think'

/** The markers that open elements with these names: whole tags or prefixes of tags. No other tag in the grammar starts with one of them. */
export function openingsOf(names: readonly string[]): Marker {
  const others = names.filter((name) => !REASONING.startsWith(name))
  const begun = [...headsOf(others)].flatMap((head) => SPACES.map((space) => `<${space}${head}`))
  // Until such a tag ends, it may be the reasoning tag.
  const whole = names.filter((name) => name !== REASONING && REASONING.startsWith(name)).flatMap(wholeTags)
  return [...begun, ...whole]
}

/** Prefixes of the names, as long as the set stays small. Longer prefixes mean that less text must be checked. */
function headsOf(names: readonly string[]): ReadonlySet<string> {
  let heads = new Set<string>()
  for (let length = LONGEST_HEAD; length > 0; length--) {
    heads = new Set(names.map((name) => headOf(name, length)))
    if (heads.size <= MOST_HEADS) break
  }
  return heads
}

/** A prefix that is at least one code unit longer than the part that it shares with the reasoning tag. */
function headOf(name: string, length: number): string {
  let end = length
  while (REASONING.startsWith(name.slice(0, end))) end++
  return name.slice(0, end)
}

function wholeTags(name: string): readonly string[] {
  return ['>', '/>'].flatMap((end) => SPACES.flatMap((left) => SPACES.map((right) => `<${left}${name}${right}${end}`)))
}
