/** Makes names of tools legal and unique. */
import { isToolName } from '@x/tool-core'

/**
 * One name for each, in their order. A legal name stays as it is; of several that differ only in case the first. In another one
 * what is not legal becomes "_", and a number follows where the name is taken.
 */
export function toLegalNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>(WORDS_OF_AGENTS)
  const next = new Map<string, number>()
  const kept = names.map((name) => (isToolName(name) && take(name, taken) ? name : undefined))
  return kept.map((name, index) => name ?? rename(names[index] as string, taken, next))
}

/** An agent ends with the first two and searches with the third: it would hide a tool of that name. */
const WORDS_OF_AGENTS = ['submit', 'finish', 'search_tools']
const MAX_LENGTH = 64

/** False when it is taken: a registry wants names to differ in more than case. */
function take(name: string, taken: Set<string>): boolean {
  const key = name.toLowerCase()
  if (taken.has(key)) return false
  taken.add(key)
  return true
}

/** `next` remembers which number a name has come to, so that ten thousand equal names take no longer than others. */
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
