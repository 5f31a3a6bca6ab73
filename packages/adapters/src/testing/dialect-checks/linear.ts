/**
 * Checks that the work is linear in the length of the text. Counts the characters that are read instead of measuring time, so
 * that the check can't fail on a busy machine.
 */
import type { Dialect } from '../../dialects/define/dialect.ts'
import { ensure } from '../contract-error.ts'
import { type CountWork, withWorkCounter } from '../count-work.ts'
import type { DialectCheckDefinition } from '../dialect-check.ts'
import { type EndlessText, endlessTexts } from './endless-texts.ts'
import { cutEvenly, readPieces } from './reading.ts'
import { MANY, type ValueText, valueTexts } from './value-texts.ts'

/** Length of each piece. Small, so that the work grows quickly if a dialect reads all received text again with each piece. */
const PIECE = 50

/** Length of the shorter text. It is longer than what readers hold back. Half as long if there are few runs. */
const SHORT = 1_500
const GROWTH = 8
/**
 * Maximum factor by which the work may grow for a text that is 8 times as long. Linear work grows by 8, and quadratic work by 64.
 */
const MOST = 12

/** With fewer runs than this, only every third text is read with counted work. */
const FEW = 100

export const LINEAR_CHECK: DialectCheckDefinition = {
  id: 'linear',
  name: 'an unfinished call of a megabyte is read within the timeout of a test, and the work is linear in its length, even inside a value',
  check(subject) {
    const { dialect, runs, fragments } = subject
    const texts = endlessTexts(fragments)
    const values = valueTexts(subject)
    const length = runs < MANY ? SHORT / 2 : SHORT
    withWorkCounter((count) => {
      for (const [index, text] of [...texts, ...values].entries())
        if (runs >= FEW || index % 3 === 0) ensureLinear(count, dialect, text, length)
    })
    // Work that isn't counted, such as a loop over all received text, would exceed the timeout of a test.
    for (const { kind, toText } of [...texts, ...values.filter(({ start }) => start.endsWith('x'))]) {
      const text = toText(runs * (kind === 'begun' ? 1_000 : 100))
      readPieces(dialect, cutEvenly(text, PIECE))
      dialect.parse(text)
    }
  },
}

function ensureLinear(
  count: CountWork,
  dialect: Dialect,
  { start, toText, tools = [undefined] }: EndlessText & Partial<Pick<ValueText, 'tools'>>,
  length: number,
): void {
  for (const options of tools.map((one) => ({ tools: one }))) {
    const work = (units: number) => {
      const text = toText(units)
      const pieces = cutEvenly(text, PIECE / 5)
      return count(() => {
        readPieces(dialect, pieces, options)
        dialect.parse(text, options)
      })
    }
    const [short, long] = [work(length), work(GROWTH * length)]
    const times = Math.round(long / Math.max(1, short))
    const shown = `${JSON.stringify(start)}, repeated or continued,`
    ensure(
      long <= MOST * short + GROWTH * length,
      `Text that is 8 times as long takes ${times} times the work: ${shown} is read repeatedly.`,
    )
  }
}
