/**
 * Fills the parameters of a tool that takes an answer. String parameters receive the answer. Other parameters receive values from earlier
 * results.
 */

import { isObject } from './json.ts'
import type { Finding } from './rows.ts'
import type { Offer } from './tools/catalog.ts'
import type { Parameter } from './tools/parameters.ts'
import { wordsOfName } from './words/stem.ts'

/** Returns the arguments. A value without evidence is omitted unless it is a required string. */
export function fillOutputs(
  { parameters }: Offer,
  answer: string,
  findings: readonly Finding[],
  known?: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, unknown> {
  const args = new Map<string, unknown>(known)
  for (const parameter of parameters) {
    if (args.has(parameter.name)) continue
    const found = observed(parameter, findings)
    if (found !== undefined) args.set(parameter.name, found)
    else if (parameter.choices !== undefined) {
      const said = parameter.choices.find((choice) => answer.toLowerCase().includes(String(choice).toLowerCase()))
      if (said !== undefined) args.set(parameter.name, said)
    } else if ((parameter.type === 'string' || parameter.type === 'any') && (parameter.required || parameters.length === 1))
      args.set(parameter.name, answer)
  }
  return args
}

/** Returns the latest value with the parameter's name and type. A result that is itself a number, a boolean or a list is also used. */
function observed({ words, type }: Parameter, findings: readonly Finding[]): unknown {
  for (const { data, rows } of findings.toReversed()) {
    if (type === 'array' && Array.isArray(data)) return data
    if (isOf(type, data) && type !== 'string' && type !== 'any' && type !== 'object') return data
    const fields = [...Object.entries(isObject(data) ? data : {}), ...Object.entries(rows[0] ?? {})]
    for (const [field, value] of fields) {
      if (wordsOfName(field).join(' ') === words.join(' ') && isOf(type, value)) return value
    }
  }
  return undefined
}

function isOf(type: Parameter['type'], value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  return type === 'any' ? value !== undefined && value !== null : typeof value === type
}
