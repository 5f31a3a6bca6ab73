/** Tool names as an API takes them, and back: legal, reversible, and never two tools under one name. */

import type { NameRules } from './tool-rules.ts'

export interface ToolNames {
  /** The same name wherever it is legal and free; also for names that are not in the list, as old messages hold them. */
  toWire(name: string): string
  /** The tool's own name; a name that no tool of the list has comes back as it is. */
  fromWire(wireName: string): string
}

/**
 * First come, first served: a list that grows at its end keeps the names that it has. An illegal character becomes `_`; a name
 * that was cut, or that another tool has by then, ends in a hash of itself.
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

/** Legal but for its length. */
function toLegal(name: string, rules: NameRules): string {
  if (isLegalName(name, rules)) return name
  const { pattern, maxLength } = rules
  // What is cut off anyway need not be looked at; a hash of the whole name stands for it.
  const characters = [...name.slice(0, 2 * maxLength)].map((character) => (pattern.test(`a${character}`) ? character : '_'))
  const text = characters.join('')
  return pattern.test(text) ? text : `_${text}`
}

/** FNV-1a of 32 bits over UTF-16 units, as seven characters of base 36. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(36).padStart(7, '0')
}
