/** Finds keywords that were reported as moved to a description but that no sent description contains. */
import type { Loss } from '@x/adapters/wire'
import { segmentsOf, valueAt } from '@x/tool-core'
import type { Node } from './shaping-place.ts'

/** Returns one line for each moved keyword that no new description mentions. */
export function missingFromDescriptions(original: Node, wire: Node, losses: readonly Loss[]): readonly string[] {
  const moved = losses.filter(({ action }) => action === 'moved_to_description')
  if (moved.length === 0) return []
  const known = new Set(descriptionsIn(original))
  const added = descriptionsIn(wire).filter((text) => !known.has(text))
  return moved.flatMap(({ path, keyword }) => {
    const names = namesOf(valueAt(original, [...segmentsOf(path), keyword]))
    const isThere = added.some((text) => names.some((name) => text.includes(name)))
    return isThere ? [] : [`${keyword} at ${path || 'the root'} is missing from the description`]
  })
}

/**
 * Returns strings, at least one of which must be in a description. For a boolean, which is described by a sentence, any description will
 * do.
 */
function namesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'boolean') return ['']
  const isOfTexts = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isOfTexts && value.length > 0 ? value : [JSON.stringify(value) ?? '']
}

function descriptionsIn(root: unknown): readonly string[] {
  const texts: string[] = []
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const { description } = value as Node
    if (typeof description === 'string') texts.push(description)
    open.push(...Object.values(value))
  }
  return texts
}
