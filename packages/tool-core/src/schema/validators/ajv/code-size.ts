/** Estimates how much code AJV generates for a schema. */
import type { SchemaNode } from '../../schema.ts'
import type { SchemaFacts } from '../check.ts'
import { hasKind } from '../keyword-kinds.ts'
import { refers } from '../steps.ts'
import { childrenOf, isDefinitions, subschemasOf } from '../subschemas.ts'

interface Part {
  readonly node: SchemaNode
  /** Length of the path to the node, which each error contains. */
  readonly path: number
}

/**
 * Returns the approximate number of characters of code, up to about `limit`. AJV writes an error for each keyword and for each name that may
 * be missing, with the path to the keyword. For a dependency, each error lists all names. A definition without references is written again
 * for each reference to it.
 */
export function codeSizeOf({ schema, targets }: Pick<SchemaFacts, 'schema' | 'targets'>, limit: number): number {
  let size = 0
  const pending: Part[] = [{ node: schema, path: 0 }]
  /** Targets with references. AJV writes a function for each of them. */
  const functions = new Set<SchemaNode>()
  const inlined = new Map<SchemaNode, boolean>()
  for (let part = pending.pop(); part !== undefined && size < limit; part = pending.pop()) {
    const { node, path } = part
    size += ownSizeOf(node, path)
    for (const { child, keyword, at } of childrenOf(node))
      if (!isDefinitions(keyword)) pending.push({ node: child, path: path + at.length + 1 })
    const target = targets.get(node)
    if (target === undefined || functions.has(target)) continue
    const isInlined = inlined.get(target) ?? !subschemasOf(target).some((subschema) => refers(subschema.node))
    inlined.set(target, isInlined)
    if (!isInlined) functions.add(target)
    pending.push({ node: target, path: 0 })
  }
  return size
}

function ownSizeOf(node: SchemaNode, path: number): number {
  const error = CHARACTERS_OF_AN_ERROR + 2 * path
  let size = error
  for (const [keyword, value] of Object.entries(node)) {
    if (keyword !== 'const' && !hasKind(keyword)) continue
    const isShort = Array.isArray(value) && value.length < LOOP
    if (keyword === 'required' && isShort) size += error * value.length
    else if (keyword === 'enum' && isShort) size += CHARACTERS_OF_A_VALUE * value.length + charactersOf(value)
    else if (keyword === 'dependentRequired' || keyword === 'dependencies') size += sizeOfDependencies(value, error)
    else size += typeof value === 'string' ? error + 2 * value.length : error * (1 + bareMembersOf(keyword, value))
  }
  return size
}

/** Returns the number of members that are written although they aren't parts of their own: patterns, and schemas that are `true` or `false`. */
function bareMembersOf(keyword: string, value: unknown): number {
  if (typeof value !== 'object' || value === null || keyword === 'const') return 0
  const members = Object.values(value)
  return keyword === 'patternProperties' ? members.length : members.filter((member) => typeof member === 'boolean').length
}

function sizeOfDependencies(value: unknown, error: number): number {
  let size = 0
  for (const names of Object.values(value as object))
    if (Array.isArray(names)) size += names.length * (error + 2 * charactersOf(names))
  return size
}

function charactersOf(list: readonly unknown[]): number {
  let characters = 0
  for (const value of list) characters += typeof value === 'string' ? value.length : 0
  return characters
}

/** From this length on, AJV writes a loop over the list. */
const LOOP = 200
const CHARACTERS_OF_AN_ERROR = 300
const CHARACTERS_OF_A_VALUE = 20
