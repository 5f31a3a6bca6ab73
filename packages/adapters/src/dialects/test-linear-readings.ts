/** Endless texts as every dialect reads them, for `linear.test.ts`. */

import type { Reading } from '../test-work-thread.ts'
import { endlessTexts } from '../testing/dialect-checks/endless-texts.ts'
import { fragmentsOf } from '../testing/dialect-checks/fragments.ts'
import { cutEvenly, readPieces } from '../testing/dialect-checks/reading.ts'
import { allDialects } from './test-dialects.ts'

export const readings: readonly Reading[] = allDialects.flatMap((dialect) =>
  endlessTexts(fragmentsOf(dialect)).map(({ start, kind, toText }) => ({
    name: `${dialect.name}, ${kind}: ${JSON.stringify(start)}`,
    read(length: number) {
      const text = toText(length)
      readPieces(dialect, cutEvenly(text, 10))
      dialect.parse(text)
    },
  })),
)
