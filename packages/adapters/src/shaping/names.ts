/** Maps tool names to names that an API accepts and that are unique, and back. */

import type { NameRules } from './rules/tool-rules.ts'

export interface ToolNames {
  /**
   * Returns the name to send for a tool: its own name if that is valid and unused. Also accepts names that aren't in the list,
   * for example from old messages.
   */
  toWire(name: string): string
  /** Returns the original name of a tool. Unknown names are returned unchanged. */
  fromWire(wireName: string): string
}

/**
 * Assigns names in order, so that existing ones don't change when the list grows. An invalid character becomes `_`. A name that
 * is too long or already used ends with a hash of the original.
 */
export function createNames(names: readonly string[], rules: NameRules): ToolNames {
  const wireNames = new Map<string, string>()
  const owners = new Map<string, string>()
  for (const name of names) {
    if (wireNames.has(name)) continue
    const wireName = freeName(name, rules, (candidate) => owners.has(candidate))
    wireNames.set(name, wireName)
    owners.set(wireName, name)
  }
  return {
    toWire: (name) => wireNames.get(name) ?? freeName(name, rules, (candidate) => owners.has(candidate)),
    fromWire: (wireName) => owners.get(wireName) ?? wireName,
  }
}

function freeName(name: string, rules: NameRules, isTaken: (candidate: string) => boolean): string {
  const legal = toLegal(name, rules)
  if (legal.length <= rules.maxLength && !isTaken(legal)) return legal
  for (let attempt = 0; ; attempt++) {
    const suffix = `_${shortHash(attempt === 0 ? name : `${name} ${attempt}`)}`
    const candidate = legal.slice(0, rules.maxLength - suffix.length) + suffix
    if (!isTaken(candidate)) return candidate
  }
}

export function isLegalName(name: string, { pattern, maxLength }: NameRules): boolean {
  return name.length <= maxLength && pattern.test(name)
}

/** Returns a name without invalid characters, which may still be too long. */
function toLegal(name: string, rules: NameRules): string {
  if (isLegalName(name, rules)) return name
  const { pattern, maxLength } = rules
  // The rest is ignored. A name that is too long gets a hash of the whole original in any case.
  const characters = [...name.slice(0, 2 * maxLength)].map((character) => (pattern.test(`a${character}`) ? character : '_'))
  const text = characters.join('')
  return pattern.test(text) ? text : `_${text}`
}

/** Returns two different hashes of the text, because texts of the same source often differ in only a few characters. */
export function longHash(text: string): string {
  return shortHash(text) + shortHash(`.${text}`)
}

/** Returns a 32-bit FNV-1a hash of the UTF-16 code units, as seven base-36 characters. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(36).padStart(7, '0')
}
