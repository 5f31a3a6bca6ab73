/** Units that a number can have: currencies and units of measurement. Their names come from `Intl`. */
import type { Parameter } from '../tools/parameters.ts'
import { stem } from './stem.ts'

/** Returns the normalized unit for a word, a sign or a code in capitals. Returns undefined for any other word. */
export function unitOf(written: string): string | undefined {
  units ??= readUnits()
  const known = units.codes.get(written) ?? units.signs.get(written)
  if (known !== undefined || CODE.test(written)) return known
  const word = stem(written.toLowerCase())
  const name = COLLOQUIAL.get(word) ?? word
  return units.names.has(name) ? name : undefined
}

/** Returns the units in a parameter's description: plurals, codes, signs, and words after "in". */
export function unitsOf({ description }: Parameter): ReadonlySet<string> {
  const words = description.match(/\p{L}+|[$€£]/gu) ?? []
  const isNamed = (word: string, index: number) => !/^\p{Ll}+$/u.test(word) || word.endsWith('s') || words[index - 1] === 'in'
  return new Set(words.filter(isNamed).flatMap((word) => unitOf(word) ?? []))
}

const CODE = /^\p{Lu}{3}$/u
const COLLOQUIAL = new Map([
  ['buck', 'dollar'],
  ['quid', 'pound'],
])

interface Units {
  /** The last word of each currency's name, by currency code. Excludes precious metals, funds and test codes. */
  readonly codes: ReadonlyMap<string, string>
  readonly signs: ReadonlyMap<string, string | undefined>
  readonly names: ReadonlySet<string>
}

let units: Units | undefined

/** Reads the units from `Intl`. Called at the first use, because this takes about 30 ms. */
function readUnits(): Units {
  const currencies = new Intl.DisplayNames('en', { type: 'currency' })
  const codes = new Map(
    Intl.supportedValuesOf('currency').flatMap((code) => {
      const name = currencies.of(code)?.replace(/ \(.*/, '') ?? ''
      const isCurrency = !code.startsWith('X') && !/ of |unit/i.test(name)
      return isCurrency ? [[code, stem(name.split(' ').at(-1)?.toLowerCase() ?? '')] as const] : []
    }),
  )
  const signs = new Map(SIGNS.map(([sign, code]) => [sign, codes.get(code)]))
  const measures = Intl.supportedValuesOf('unit').filter((unit) => !VAGUE.has(unit))
  return { codes, signs, names: new Set([...codes.values(), stem('cents'), ...measures.map(stem)]) }
}

const SIGNS = [
  ['$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
] as const

/** Words that aren't treated as units: "20 degrees" may be on any scale, and a percentage has no unit. */
const VAGUE = new Set(['degree', 'percent'])
