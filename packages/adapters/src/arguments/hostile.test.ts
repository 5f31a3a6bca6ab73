import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../scripts/any-character.ts'
import { bombsOf, inPieces } from '../../test/arguments/bombs.ts'
import { findQuadratic } from '../../test/work.ts'
import { parseArguments, recoverJson } from './index.ts'

const LENGTH = process.env.X_FULL ? 1_000_000 : 100_000

describe('hostile texts', () => {
  it('never throw, whatever they contain', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: anyCharacter }), fc.json()), (text) => {
        expect(typeof parseArguments(text).ok).toBe('boolean')
        expect(typeof recoverJson(text).ok).toBe('boolean')
      }),
    )
  })

  it.each(bombsOf(LENGTH).map((text) => [text.slice(0, 24), text]))(
    `yields the same result for ${LENGTH} characters that begin with %j, parsed whole or in pieces`,
    (_, text) => {
      const stream = inPieces(text)
      const whole = parseArguments(text)
      expect(typeof whole.ok).toBe('boolean')
      // `toEqual` takes a second for a list of 250,000 strings.
      expect(isDeepStrictEqual(stream.end(), whole)).toBe(true)
    },
  )

  it('take work that is linear in their length, also in pieces', async () => {
    expect(await findQuadratic(join(import.meta.dirname, '../../test/arguments/bombs.ts'))).toEqual([])
  })

  it('are refused with `too_deep` if they are nested 200,000 levels deep', () => {
    expect(recoverJson('['.repeat(200_000))).toMatchObject({ code: 'too_deep' })
    expect(recoverJson('{"a":'.repeat(200_000))).toMatchObject({ code: 'too_deep' })
    expect(recoverJson(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).toMatchObject({ code: 'too_deep' })
    expect(recoverJson('('.repeat(200_000))).toMatchObject({ code: 'too_deep' })
  })

  it('are parsed without recursion if they contain 100,000 siblings', () => {
    const text = JSON.stringify({ list: Array.from({ length: 100_000 }, () => ({})) })
    expect(parseArguments(text)).toMatchObject({ ok: true, tags: [] })
  })

  it('are quoted for at most 60 characters in a refusal, and not at all in its message', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 500 }), (text) => {
        const parsed = parseArguments(`secret${text}`)
        expect(parsed.ok ? 0 : parsed.excerpt.length).toBeLessThanOrEqual(60)
        expect(parsed.ok ? '' : parsed.message).not.toContain('secret')
      }),
    )
  })
})
