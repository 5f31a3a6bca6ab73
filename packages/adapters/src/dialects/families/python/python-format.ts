/** Writes calls in Python syntax, so that they are parsed back unchanged. */
import type { WritableCall } from '../../define/definition.ts'
import type { FormatRefusal } from '../../define/dialect.ts'
import { isPythonName } from './python-calls.ts'
import { DEEPEST } from './python-literal.ts'

/** Writes each call as `f(a=1, b="x")`. Refuses names that would be parsed differently, and values that are nested too deeply. */
export function formatPythonCalls(
  calls: readonly WritableCall[],
  join: (calls: readonly string[]) => string,
): string | FormatRefusal {
  const texts: string[] = []
  for (const { name, args } of calls) {
    if (!isPythonName(name))
      return {
        ok: false,
        code: 'invalid_name',
        message: `The tool name "${name}" is not valid in a Python call. Rename the tool.`,
      }
    if (Object.values(args).some((value) => isDeeper(value, DEEPEST)))
      return {
        ok: false,
        code: 'unrepresentable_value',
        message: `An argument of "${name}" is nested more than ${DEEPEST} levels deep. Flatten the argument.`,
      }
    texts.push(`${name}(${formatArguments(args)})`)
  }
  return join(texts)
}

/** Writes named arguments. Names that aren't valid in Python come last, in `**{"two words": 1}`. */
function formatArguments(args: Readonly<Record<string, unknown>>): string {
  const all = Object.entries(args)
  const name = /^[\p{L}_][\p{L}\p{N}_]*$/u
  const named = all.filter(([key]) => name.test(key)).map(([key, value]) => `${key}=${toPython(value)}`)
  const others = Object.fromEntries(all.filter(([key]) => !name.test(key)))
  return [...named, ...(Object.keys(others).length === 0 ? [] : [`**${toPython(others)}`])].join(', ')
}

/** Writes a value as a Python literal. JSON strings are valid in Python too. */
function toPython(value: unknown): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}: ${toPython(member)}`)
    .join(', ')}}`
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}
