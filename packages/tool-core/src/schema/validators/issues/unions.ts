/** Merges the failures of a union. The result is a list of allowed values, or the failures of the alternative that was meant. */
import { valueAt } from '../../pointer.ts'
import type { Failure } from './failure.ts'
import { allowedBy } from './words.ts'

/** Merges the failures of all unions. In `failures`, a union must come after its members. */
export function mergeUnions(failures: readonly Failure[], schema: object): readonly Failure[] {
  const merged: Failure[] = []
  /** For each merged failure, the union that it came from. */
  const blocks: Block[] = []
  for (const failure of failures) {
    const block = { start: merged.length, union: failure }
    if (failure.keyword === 'anyOf' || failure.keyword === 'oneOf') {
      const isMember = memberTest(failure)
      for (let last = blocks.at(-1); last !== undefined; last = blocks[block.start - 1]) {
        // If a union is a member, so is all that came from it. Deeply nested unions would otherwise take cubic time.
        if (isMember(last.union)) block.start = last.start
        else if (isMember(merged[block.start - 1])) block.start--
        else break
      }
      blocks.length = block.start
      merged.push(...merge(failure, merged.splice(block.start), schema))
    } else merged.push(failure)
    while (blocks.length < merged.length) blocks.push(block)
  }
  return merged
}

interface Block {
  /** The index of the first failure that came from the union. */
  start: number
  readonly union: Failure
}

function memberTest({ schemaPath, instancePath }: Failure): (failure: Failure | undefined) => boolean {
  const [schemaStart, valueStart] = [`${schemaPath}/`, `${instancePath}/`]
  return (failure) => {
    if (failure === undefined || !failure.schemaPath.startsWith(schemaStart)) return false
    return failure.instancePath === instancePath || failure.instancePath.startsWith(valueStart)
  }
}

function merge(union: Failure, members: readonly Failure[], schema: object): readonly Failure[] {
  if (members.length === 0) return [union]
  const isOwn = (failure: Failure) => failure.instancePath === union.instancePath && allowedBy(failure) !== undefined
  const alternatives = alternativesOf(union, members)
  // A wrong type or value at the union's own path means that this alternative wasn't meant.
  const meant = alternatives.filter((alternative) => !alternative.some(isOwn))
  if (meant.length === 0) {
    const allowed = alternatives.flatMap((alternative) => narrowest(alternative.filter(isOwn)))
    const { instancePath, schemaPath, keyword } = union
    return [{ instancePath, schemaPath, keyword, params: { allowed: [...new Set(allowed)] } }]
  }
  if (meant.length === 1 && meant[0] !== undefined) return meant[0]
  return ofTag(union, meant, schema) ?? commonTo(union, meant) ?? [...members, union]
}

/**
 * Returns the failures of a union of objects with a tag, such as `kind`. If the value's tag belongs to an alternative, returns that
 * alternative's failures. Otherwise, returns one failure with the allowed tags. Undefined for any other union.
 */
function ofTag(union: Failure, alternatives: readonly (readonly Failure[])[], schema: object): readonly Failure[] | undefined {
  const tags: Failure[] = []
  let matching: readonly Failure[] | undefined
  for (const alternative of alternatives) {
    const found = alternative.find((failure) => isTag(failure, union))
    if (found !== undefined) tags.push(found)
    else if (matching === undefined) matching = alternative
    else return undefined
  }
  const path = tags[0]?.instancePath
  if (path === undefined || tags.some(({ instancePath }) => instancePath !== path)) return undefined
  if (matching === undefined) {
    const allowedValues: unknown[] = []
    for (const tag of tags) allowedValues.push(...valuesOf(tag))
    return [{ instancePath: path, schemaPath: union.schemaPath, keyword: 'enum', params: { allowedValues } }]
  }
  const tag = path.slice(union.instancePath.length)
  const declared = valueAt(schema, `${union.schemaPath.slice(1)}/${indexOf(matching[0], union)}/properties${tag}`)
  return declared === undefined ? undefined : matching
}

function isTag({ keyword, instancePath }: Failure, union: Failure): boolean {
  return (
    (keyword === 'const' || keyword === 'enum') && instancePath.slice(0, instancePath.lastIndexOf('/')) === union.instancePath
  )
}

function valuesOf({ params: { allowedValue, allowedValues } }: Failure): readonly unknown[] {
  return Array.isArray(allowedValues) ? allowedValues : [allowedValue]
}

/**
 * Returns the failure for a property that is missing in all alternatives. Undefined if there is no such property, or if anything else is
 * wrong.
 */
function commonTo(union: Failure, alternatives: readonly (readonly Failure[])[]): readonly Failure[] | undefined {
  for (const alternative of alternatives)
    for (const { keyword, instancePath } of alternative)
      if (keyword !== 'required' || instancePath !== union.instancePath) return undefined
  for (const failure of alternatives[0] ?? []) {
    let missing = 0
    for (const alternative of alternatives) if (lacks(alternative, failure.params.missingProperty)) missing++
    if (missing === alternatives.length) return [failure]
  }
  return undefined
}

function lacks(failures: readonly Failure[], property: unknown): boolean {
  for (const { params } of failures) if (params.missingProperty === property) return true
  return false
}

/** Returns the index of the alternative that a failure belongs to. */
function indexOf(failure: Failure | undefined, { schemaPath }: Failure): string | undefined {
  const start = schemaPath.length + 1
  const end = failure?.schemaPath.indexOf('/', start) ?? -1
  return failure?.schemaPath.slice(start, end < 0 ? undefined : end)
}

/**
 * Returns the values that the failures allow. Ignores `type` if other keywords have failed too. For instance, `Type.Literal('a')` fails
 * both `type` and `const`.
 */
function narrowest(failures: readonly Failure[]): readonly string[] {
  const values = failures.filter(({ keyword }) => keyword !== 'type')
  return (values.length > 0 ? values : failures).flatMap((failure) => allowedBy(failure) ?? [])
}

function alternativesOf(union: Failure, members: readonly Failure[]): readonly (readonly Failure[])[] {
  const alternatives = new Map<string | undefined, Failure[]>()
  for (const member of members) {
    const index = indexOf(member, union)
    const alternative = alternatives.get(index)
    if (alternative === undefined) alternatives.set(index, [member])
    else alternative.push(member)
  }
  return [...alternatives.values()]
}
