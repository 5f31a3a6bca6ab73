/** The check that an endless text comes to an end. It reads no clock: a busy machine would fail it as a slow dialect does. */
import type { DialectCheckDefinition } from '../dialect-check.ts'
import { endlessTexts } from './endless-texts.ts'
import { cutEvenly, readPieces } from './reading.ts'

/** Small, so that a dialect that reads all that has come with each piece takes long. */
const PIECE = 50

export const LINEAR_CHECK: DialectCheckDefinition = {
  id: 'linear',
  name: 'a megabyte without an end is read in the time of one test',
  check({ dialect, runs, fragments }) {
    for (const { kind, toText } of endlessTexts(fragments)) {
      const text = toText(runs * (kind === 'begun' ? 1_000 : 100))
      readPieces(dialect, cutEvenly(text, PIECE))
      dialect.parse(text)
    }
  },
}
