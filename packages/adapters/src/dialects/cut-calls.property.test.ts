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

/** Calls that are accepted on purpose: adjacent Python strings, and DSPy arguments that aren't an object. */
const ACCEPTED = /[a-z]""[a-z]|"args": ?"?\d|"args\d/
/** A string that contains its own end tag, which may be text. */
const HAS_END_TAG = /<\/c/
/** After such a character, the line is a quotation. */
const QUOTED = /(?:^|\n|[}>)])\s*>[^>]/
/** Dialects in which the rest of a call may be text, because calls have no end marker or look like prose. */
const MAY_BE_TEXT = [
  'functionary',
  'gemma4',
  'generic_json',
  'harmony',
  'llama3_json',
  'mistral',
  'morph_xml',
  'pythonic',
  'xlam',
]

describe.each(repliesOf(allDialects))('$name', (reply) => {
  const cuts = fc.record({ at: fc.nat(reply.text.length - 1), length: fc.integer({ min: 1, max: LONGEST_CUT }) })
  const mayBeText = MAY_BE_TEXT.some((name) => reply.name.startsWith(name))

  it('yields no other call, and reports each missing one', () => {
    fc.assert(
      fc.property(cuts, ({ at, length }) => {
        const text = reply.text.slice(0, at) + reply.text.slice(at + length)
        const { wrong, isSilent } = readCut(reply, text)
        if (ACCEPTED.test(text)) return
        expect(wrong.filter(({ arguments: json }) => !HAS_END_TAG.test(json))).toEqual([])
        if (!mayBeText && !QUOTED.test(text)) expect(isSilent).toBe(false)
      }),
      { numRuns: runs },
    )
  })
})
