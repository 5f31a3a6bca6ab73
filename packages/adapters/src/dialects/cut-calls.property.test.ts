/**
 * Property tests of replies with two calls from which a part of the text was removed: no other call is parsed, and no call disappears
 * without a report.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCut, repliesOf } from '../../test/dialects/cut-calls.ts'
import { allDialects } from '../../test/dialects/dialects.ts'

const runs = process.env.X_FULL ? 400 : 25
const LONGEST_CUT = 45

/** A line that starts so is quoted. */
const QUOTED = /(?:^|\n)\s*>[^>]/
/** Their open markers are built from names, or start like prose, so that nothing but the rest of a marker may be left of a call. */
const MAY_BE_TEXT = ['functionary', 'gemma4', 'morph_xml']

describe.each(repliesOf(allDialects))('$name', (reply) => {
  const cuts = fc.record({ at: fc.nat(reply.text.length - 1), length: fc.integer({ min: 1, max: LONGEST_CUT }) })
  const mayBeText = MAY_BE_TEXT.some((name) => reply.name.startsWith(name))

  it('yields no other call, and reports each missing one', () => {
    fc.assert(
      fc.property(cuts, ({ at, length }) => {
        const text = reply.text.slice(0, at) + reply.text.slice(at + length)
        const { wrong, isSilent } = readCut(reply, text)
        expect(wrong).toEqual([])
        if (!mayBeText && !QUOTED.test(text)) expect(isSilent).toBe(false)
      }),
      { numRuns: runs },
    )
  })
})
