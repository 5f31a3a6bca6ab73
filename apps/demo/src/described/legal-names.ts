/** Makes tool names valid and unique. */
import { isToolName } from '@x/tool-core'

/**
 * Returns one name for each given name, in the same order. A valid name is kept unless an earlier name differs only in case. In
 * all other names, invalid characters become "_", and a number is appended if the result is taken.
 */
export function toLegalNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>(WORDS_OF_AGENTS)
  const next = new Map<string, number>()
  const kept = names.map((name) => (isToolName(name) && take(name, taken) ? name : undefined))
  return kept.map((name, index) => name ?? rename(names[index] as string, taken, next))
}

/**
 * Names of agents' own tools: the first two end a run, the third one searches, and the fourth one calls a found tool. Another tool with
 * such a name could never be called.
 */
const WORDS_OF_AGENTS = ['submit', 'finish', 'search_tools', 'call_tool']
const MAX_LENGTH = 64

/** Takes a name. Returns false if the name is already taken. Names in a registry must differ in more than case. */
function take(name: string, taken: Set<string>): boolean {
  const key = name.toLowerCase()
  if (taken.has(key)) return false
  taken.add(key)
  return true
}

/**
 * Returns a valid name that isn't taken. `next` contains the next number for each name, so that renaming ten thousand equal names takes
 * linear time.
 */
function rename(name: string, taken: Set<string>, next: Map<string, number>): string {
  const words = name.replace(/[^a-zA-Z0-9_]+/g, '_')
  const base = (/^\d/.test(words) ? `_${words}` : words).slice(0, MAX_LENGTH)
  if (take(base, taken)) return base
  const key = base.toLowerCase()
  for (let number = next.get(key) ?? 2; ; number++) {
    const ending = `_${number}`
    const numbered = base.slice(0, MAX_LENGTH - ending.length) + ending
    if (!take(numbered, taken)) continue
    next.set(key, number + 1)
    return numbered
  }
}
