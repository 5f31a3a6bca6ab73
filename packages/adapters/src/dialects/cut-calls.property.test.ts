/** A run of text is missing from a reply of two calls: what is left is read as no other call, and nothing disappears without a report. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCut, repliesOf } from '../../test/dialects/cut-calls.ts'
import { allDialects } from '../../test/dialects/dialects.ts'

const runs = process.env.X_FULL ? 400 : 25
const LONGEST_CUT = 45

/** Read on purpose: Python's strings beside each other, and DSPy's arguments that are no object. */
const ACCEPTED = /[a-z]""[a-z]|"args": ?"?\d|"args\d/
/** A string with its own end tag, which may be text. */
const HAS_END_TAG = /<\/c/
/** Behind such a character, a line is quoted. */
const QUOTED = /(?:^|\n|[}>)])\s*>[^>]/
/** What is left of their calls may be text: they have no marker at the end of a call, or their syntax is one of prose. */
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

  it('is read as no other call, and no call of it disappears', () => {
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
