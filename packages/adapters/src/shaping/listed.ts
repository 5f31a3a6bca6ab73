/** The values that a schema lists, by `enum` or `const`. */
import type { Combined } from './combine.ts'
import { isAbout, typeNamesOf, typeOfValue } from './keywords.ts'

/** Those that its types allow; undefined where none is listed, or none of them is of its types. */
export function listedIn(combined: Combined): readonly unknown[] | undefined {
  const constant = combined.get('const')
  const listed = constant === undefined ? combined.get('enum')?.value : [constant.value]
  if (!Array.isArray(listed)) return undefined
  const types = typeNamesOf(combined.get('type')?.value)
  const fitting = listed.filter((value) => types.length === 0 || types.some((type) => isOfType(value, type)))
  return fitting.length > 0 ? fitting : undefined
}

function isOfType(value: unknown, type: string): boolean {
  const isBroken = type.toLowerCase() === 'integer' && !Number.isInteger(value)
  return !isBroken && isAbout(typeOfValue(value), type)
}
