/** Writes listed values (`enum` and `const`). Converts them to strings if the dialect accepts only strings. */

import { isAbout, isEqual, typeNamesOf, typeOfValue } from '../schema/keywords.ts'
import type { Combined, Held } from './combine.ts'
import type { Output } from './output.ts'

export function writeValues(output: Output, held: Held, keyword: string): void {
  const isOfOtherType = listedIn(output.combined) === undefined
  if (output.shaping.rules.choices !== undefined && isOfOtherType) output.move(keyword, held)
  else if (output.shaping.rules.choices !== undefined) writeTexts(output)
  else if (keyword === 'const' && output.shaping.rules.constants !== undefined) output.set('enum', [held.value])
  else output.set(keyword, held.value)
}

function writeTexts(output: Output): void {
  if (output.has('type')) return
  const list = output.combined.get('enum')
  if (list !== undefined && output.combined.has('const')) output.lose('enum', list, 'dropped', 'const is stricter')
  const type = listedType(output)
  const listed = listedIn(output.combined) ?? []
  const values = listed.filter((value) => value !== null)
  if (type === TEXTS) writeAsTexts(output, values)
  else if (type === 'string') writeChoices(output, values.map(String))
  else output.set('type', type)
  if (type !== 'null' && listed.length > values.length) output.set('nullable', true)
}

/** The type of listed values that are sent as strings. */
export const TEXTS = 'texts'

/** Returns the type to send with listed values. Returns undefined if there are none, or if they are sent unchanged. */
export function listedType(output: Output): string | undefined {
  const { combined, shaping } = output
  const listed = listedIn(combined)
  if (shaping.rules.choices === undefined || listed === undefined) return undefined
  const values = listed.filter((value) => value !== null)
  if (values.length === 0) return 'null'
  if (values.every((value) => typeof value === 'string')) return 'string'
  return new Set(values).size === 2 && values.every((value) => typeof value === 'boolean') ? 'boolean' : TEXTS
}

function writeChoices(output: Output, texts: readonly string[]): void {
  const { value } = output.combined.get('type') ?? {}
  output.set('type', typeof value === 'string' ? value : 'string')
  setChoices(output, texts)
}

function setChoices(output: Output, texts: readonly string[]): void {
  const choices = [...new Set(texts.filter((text) => text !== ''))]
  if (choices.length > 0) output.set('enum', choices)
  if (texts.includes('')) loseValues(output, 'a choice cannot be an empty string')
}

function loseValues(output: Output, note: string): void {
  for (const keyword of ['enum', 'const']) {
    const held = output.combined.get(keyword)
    if (held !== undefined) output.lose(keyword, held, 'dropped', note)
  }
}

/** Writes each value as JSON text. Strings stay unchanged. */
function writeAsTexts(output: Output, values: readonly unknown[]): void {
  const byText = new Map<string, unknown>()
  const own = new Set(values)
  const texts = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  values.forEach((value, index) => {
    const text = texts[index] as string
    if (typeof value === 'string') return
    if (!own.has(text)) byText.set(text, value)
    else loseValues(output, `${text} is listed as a string too, so it can only be sent as a string`)
  })
  output.set('type', 'string')
  output.set('format', 'enum')
  setChoices(output, texts)
  output.plan(output.shaping.changing({ texts: byText }))
}

/** Writes a default. Drops it if it isn't one of the choices. */
export function writeDefault(output: Output, held: Held): void {
  if (listedType(output) !== TEXTS || typeof held.value === 'string') output.decide('default', held)
  else if (listedIn(output.combined)?.some((value) => isEqual(value, held.value)) && held.value !== null)
    output.set('default', JSON.stringify(held.value))
  else output.lose('default', held, 'dropped', 'not one of the choices')
}

/** Returns the values of `enum` or `const` that match the declared types. Returns undefined if there is neither keyword. */
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
