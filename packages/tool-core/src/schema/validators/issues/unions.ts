/** Merges the failures of a union: into a list of allowed values, or into the failures of the intended alternative. */
import type { Failure } from './failure.ts'
import { allowedBy } from './words.ts'

/** Expects the failure of a union after the failures of its members. */
export function mergeUnions(failures: readonly Failure[]): readonly Failure[] {
  const merged: Failure[] = []
  for (const failure of failures) {
    if (failure.keyword !== 'anyOf' && failure.keyword !== 'oneOf') {
      merged.push(failure)
      continue
    }
    let start = merged.length
    while (isMember(merged[start - 1], failure)) start--
    merged.push(...merge(failure, merged.splice(start)))
  }
  return merged
}

function isMember(failure: Failure | undefined, union: Failure): boolean {
  if (failure === undefined || !failure.schemaPath.startsWith(`${union.schemaPath}/`)) return false
  return failure.instancePath === union.instancePath || failure.instancePath.startsWith(`${union.instancePath}/`)
}

function merge(union: Failure, members: readonly Failure[]): readonly Failure[] {
  if (members.length === 0) return [union]
  const isOwn = (failure: Failure) => failure.instancePath === union.instancePath && allowedBy(failure) !== undefined
  const alternatives = alternativesOf(union, members)
  // A wrong type or value at the union's own path means that another alternative was intended.
  const meant = alternatives.filter((alternative) => !alternative.some(isOwn))
  if (meant.length === 0) {
    const allowed = alternatives.flatMap((alternative) => narrowest(alternative.filter(isOwn)))
    const { instancePath, schemaPath, keyword } = union
    return [{ instancePath, schemaPath, keyword, params: { allowed: [...new Set(allowed)] } }]
  }
  return meant.length === 1 && meant[0] !== undefined ? meant[0] : [...members, union]
}

/** Drops failures of `type` if there are others: `Type.Literal('a')` fails both `type` and `const`. */
function narrowest(failures: readonly Failure[]): readonly string[] {
  const values = failures.filter(({ keyword }) => keyword !== 'type')
  return (values.length > 0 ? values : failures).flatMap((failure) => allowedBy(failure) ?? [])
}

function alternativesOf({ schemaPath }: Failure, members: readonly Failure[]): readonly (readonly Failure[])[] {
  const alternatives = new Map<string | undefined, Failure[]>()
  for (const member of members) {
    const [index] = member.schemaPath.slice(schemaPath.length + 1).split('/', 1)
    const alternative = alternatives.get(index)
    if (alternative === undefined) alternatives.set(index, [member])
    else alternative.push(member)
  }
  return [...alternatives.values()]
}
