/** Parses endless text with every dialect, for `linear.test.ts`. */

import type { Dialect } from '../../src/dialects/define/dialect.ts'
import { type EndlessText, endlessTexts } from '../../src/testing/dialect-checks/endless-texts.ts'
import { fragmentsOf } from '../../src/testing/dialect-checks/fragments.ts'
import { cutEvenly, readPieces } from '../../src/testing/dialect-checks/reading.ts'
import { toSampleTurns } from '../../src/testing/dialect-checks/samples.ts'
import { valueTexts } from '../../src/testing/dialect-checks/value-texts.ts'
import { chooseReadings, type Reading } from '../work-thread.ts'
import { allDialects } from './dialects.ts'
import { SAMPLES } from './samples.ts'

/** Returns endless values. Excludes the dialect's markers, which the contract puts into values. */
function valuesOf(dialect: Dialect): readonly EndlessText[] {
  const samples = toSampleTurns(SAMPLES[dialect.name] ?? [])
  return valueTexts({ dialect, runs: 1, seed: 1, leastWritten: 0, fragments: [], samples })
}

/** Returns texts that repeat quoted calls, or calls inside unclosed reasoning. */
function calledOff(dialect: Dialect): readonly EndlessText[] {
  const formatted = dialect.formatCall({ id: 'functions.f:0', name: 'f', arguments: '{"a": 1}' })
  const call = formatted.ok ? formatted.text : ''
  const starts = [`"${call}`, `<think>${call} or `, `<think>${call}\n`]
  return starts.map((start) => ({ start, kind: 'repeated', toText: (length) => start.repeat(Math.ceil(length / start.length)) }))
}

/** Returns texts that repeat a call up to the middle of its value, which is never closed. */
function openValues(dialect: Dialect): readonly EndlessText[] {
  const formatted = dialect.formatCall({ id: 'functions.f:0', name: 'f', arguments: '{"a": "@"}' })
  const [start = ''] = formatted.ok ? formatted.text.split('@') : []
  return [{ start, kind: 'repeated', toText: (length) => `${start}x `.repeat(Math.ceil(length / (start.length + 2))) }]
}

const TOOLS = [{ type: 'function', function: { name: 'f', description: '', parameters: { properties: { a: {} } } } }] as const

/** Reads a call and then one long line, which contains a parameter of the call's tool again and again. */
function besideCall(dialect: Dialect): Reading {
  const formatted = dialect.formatCall({ id: 'functions.f:0', name: 'f', arguments: '{"a": 1}' })
  const call = formatted.ok ? formatted.text : ''
  return {
    name: `${dialect.name}, text beside a call`,
    read: (length) => void dialect.parse(`${call}\n${'say "a": b, '.repeat(length / 10)}`, { tools: TOOLS }),
  }
}

const all: readonly Reading[] = allDialects.flatMap((dialect) => [
  besideCall(dialect),
  ...[...endlessTexts(fragmentsOf(dialect)), ...valuesOf(dialect), ...calledOff(dialect), ...openValues(dialect)].map(
    ({ start, kind, toText }) => ({
      name: `${dialect.name}, ${kind}: ${JSON.stringify(start)}`,
      read(length: number) {
        const text = toText(length)
        readPieces(dialect, cutEvenly(text, 10))
        dialect.parse(text)
      },
    }),
  ),
])

export const readings = chooseReadings(all)
