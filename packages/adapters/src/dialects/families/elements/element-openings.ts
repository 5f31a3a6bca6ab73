/**
 * Creates a small set of markers from the beginnings of tool names. Compiling a pattern of a thousand whole names would take
 * seconds.
 */
import type { Marker } from '../../engine/marker.ts'

/** White space that may come before or after the name in a tag. */
const SPACES = ['', ' ', '\n']
const MOST_HEADS = 32
const LONGEST_HEAD = 8
/** Name of the tag around reasoning. */
export const REASONING = 'think'

/**
 * Returns markers for the open tags of these elements. Each marker is a whole tag or its beginning. No other tag in the grammar
 * begins with one of them.
 */
export function openingsOf(names: readonly string[]): Marker {
  const others = names.filter((name) => !REASONING.startsWith(name))
  const begun = [...headsOf(others)].flatMap((head) => SPACES.map((space) => `<${space}${head}`))
  // A name such as `th` is the beginning of the reasoning tag's name, so its marker is the whole tag.
  const whole = names.filter((name) => name !== REASONING && REASONING.startsWith(name)).flatMap(wholeTags)
  return [...begun, ...whole]
}

/**
 * Returns beginnings of the names. They are as long as possible while the set stays small, because longer ones match less other
 * text.
 */
function headsOf(names: readonly string[]): ReadonlySet<string> {
  let heads = new Set<string>()
  for (let length = LONGEST_HEAD; length > 0; length--) {
    heads = new Set(names.map((name) => headOf(name, length)))
    if (heads.size <= MOST_HEADS) break
  }
  return heads
}

/** Returns the beginning of a name, long enough to differ from the beginning of the reasoning tag. */
function headOf(name: string, length: number): string {
  let end = length
  while (REASONING.startsWith(name.slice(0, end))) end++
  return name.slice(0, end)
}

function wholeTags(name: string): readonly string[] {
  return ['>', '/>'].flatMap((end) => SPACES.flatMap((left) => SPACES.map((right) => `<${left}${name}${right}${end}`)))
}
