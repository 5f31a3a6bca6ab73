/** Parses repeated and paired call openers with every dialect, for `linear.test.ts`. */

import type { Dialect } from '../../src/dialects/define/dialect.ts'
import { fragmentsOf } from '../../src/testing/dialect-checks/fragments.ts'
import { chooseReadings, type Reading } from '../work-thread.ts'
import { allDialects } from './dialects.ts'

const OPENINGS = ['{', '[', '<', '"', '`', '```\n', 'a']

/** Returns the characters that the dialect's markers start with. */
function openingsOf(dialect: Dialect): readonly string[] {
  return [...new Set([...OPENINGS, ...fragmentsOf(dialect).map((fragment) => fragment.charAt(0))])]
}

function mixturesOf(openings: readonly string[]): readonly string[] {
  return openings.flatMap((one) => openings.map((other) => (one === other ? one : one + other)))
}

const all: readonly Reading[] = allDialects.flatMap((dialect) =>
  mixturesOf(openingsOf(dialect)).map((unit) => ({
    name: `${dialect.name}: ${JSON.stringify(unit)}`,
    read: (length: number) => void dialect.parse(unit.repeat(Math.ceil(length / unit.length))),
  })),
)

export const readings = chooseReadings(all)
