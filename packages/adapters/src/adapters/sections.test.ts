import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitSections } from './sections.ts'

const read = (text: string, names: readonly string[] = ['answer', 'score']) =>
  Object.fromEntries([...splitSections(text, names)].map(([name, section]) => [name, section.text]))

describe('splitSections', () => {
  it.each([
    '[[ ## answer ## ]]\nWarm.',
    '[[ ## Answer ## ]]\nWarm.',
    '[[## answer ##]]\nWarm.',
    '[[ # ANSWER # ]] Warm.',
    '  [[  ###  answer  ###  ]]  Warm.  ',
    '**[[ ## answer ## ]]**\nWarm.',
    'Here you are:\n[[ ## answer ## ]]\r\nWarm.\r\n[[ ## completed ## ]]\nGood luck!',
  ])('finds the section in %j', (text) => {
    expect(read(text)).toEqual({ answer: 'Warm.' })
  })

  it.each([
    'so [[ ## answer ## ]] is it',
    '[[ answer ]]',
    '[[ ## answer ]]',
    '[[ ## ## ]]',
    `[[ ## ${'a'.repeat(300)} ## ]]`,
    '[[ ## answer ##',
  ])('finds no section in %j', (text) => {
    expect(read(text)).toEqual({})
    expect(read(`[[ ## score ## ]]\n${text}`)).toEqual({ score: text })
  })

  it("doesn't choose between two names that differ only in case", () => {
    const names = ['Answer', 'answer']
    expect(read('[[ ## answer ## ]]\na\n[[ ## Answer ## ]]\nb', names)).toEqual({ answer: 'a', Answer: 'b' })
    expect(read('[[ ## ANSWER ## ]]\na', names)).toEqual({})
  })

  it('marks the last section', () => {
    const sections = splitSections('[[ ## answer ## ]]\na\n[[ ## score ## ]]\n5', ['answer', 'score'])
    expect([...sections.values()].map(({ isLast }) => isLast)).toEqual([false, true])
  })

  it('returns the text under each marker, and never throws', () => {
    const line = fc.string().filter((text) => !text.includes('[[') && !/[\r\n]/.test(text))
    fc.assert(
      fc.property(line, line, (answer, score) => {
        expect(read(`[[ ## answer ## ]]\n${answer}\n\n[[ ## score ## ]]\n${score}`)).toEqual({
          answer: answer.trim(),
          score: score.trim(),
        })
      }),
    )
    fc.assert(
      fc.property(fc.array(fc.constantFrom('[[', ']]', '##', '#', ' ', '\n', 'answer', '**', '\u{1F600}')), (pieces) => {
        for (const text of Object.values(read(pieces.join('')))) expect(text).toBe(text.trim())
      }),
    )
  })
})
