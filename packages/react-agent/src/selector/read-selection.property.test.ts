import { scriptedLM } from '@x/lm/testing'
import type { ToolMap } from '@x/tool-core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../scripts/any-character.ts'
import { getWeather, now, selection, setReminder } from '../../test/selector/selection.ts'
import type { MultiToolDecision } from './decision.ts'
import { multiToolSelector } from './multi-tool-selector.ts'
import { readSelection } from './read-selection.ts'

const list = [getWeather, setReminder, now]
const tools: ToolMap = new Map(list.map((tool) => [tool.name, tool]))

/** Parts of selections. Texts that are made of them are often almost valid. */
const pieces = [
  'get_weather',
  'now',
  'none',
  '__proto__',
  'constructor',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '`',
  ',',
  ':',
  '\n',
  '\\',
  ' ',
]
const odd = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.array(fc.constantFrom(...pieces, '{"now": {}}', '[[ ## selected_tools ## ]]'), { maxLength: 30 }).map((all) => all.join('')),
  fc.json(),
)

describe('a selection', () => {
  it('T3-17: never throws for any text, and calls only tools of the list', () => {
    fc.assert(
      fc.property(odd, odd, fc.boolean(), (selectedTools, toolArguments, isWhole) => {
        const { calls, rejected } = readSelection({ selectedTools, toolArguments, isWhole }, tools)
        expect(calls.every(({ name }) => tools.has(name))).toBe(true)
        expect(rejected.every(({ message, raw = '' }) => message !== '' && raw.length <= 2_000)).toBe(true)
      }),
    )
  })

  it('T3-18: contains only valid calls, or the reply is requested again', async () => {
    await fc.assert(
      fc.asyncProperty(odd, odd, async (names, args) => {
        const lm = scriptedLM([selection(names, args)])
        const outcome = await multiToolSelector({ lm, mode: 'text', maxRepairs: 0 })('?', list).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'invalid_output' })
        else expect(outcome).toMatchObject({ toolCalls: expect.any(Array), rejected: expect.any(Array) })
      }),
    )
  })

  it('T3-19: contains only valid calls in native mode too', async () => {
    const call = fc.record({ id: fc.string(), name: fc.oneof(odd, fc.constantFrom('now', 'get_weather')), arguments: odd })
    await fc.assert(
      fc.asyncProperty(odd, fc.array(call, { maxLength: 5 }), async (text, toolCalls) => {
        const select = multiToolSelector({ lm: scriptedLM([{ text, toolCalls }]), maxRepairs: 0 })
        const outcome = await select('?', list).catch((error: unknown) => error)
        if (outcome instanceof Error) {
          expect(outcome).toMatchObject({ code: 'invalid_output' })
          return
        }
        const { toolCalls: taken, rejected } = outcome as MultiToolDecision
        expect(taken.length + rejected.length).toBe(toolCalls.length)
      }),
    )
  })

  it('T3-17: calls or rejects each selected name', () => {
    const name = fc.constantFrom('get_weather', 'now', 'fly', 'None', 'set_reminder')
    fc.assert(
      fc.property(fc.array(name, { minLength: 2, maxLength: 8 }), (names) => {
        const { calls, rejected } = readSelection({ selectedTools: names.join(', '), toolArguments: '', isWhole: true }, tools)
        const reported = new Set([...calls, ...rejected].map((each) => each.name))
        expect(new Set<string>(names)).toEqual(reported)
      }),
    )
  })

  it('returns what was written', () => {
    const args = fc.dictionary(
      fc.string({ unit: 'grapheme' }).filter((key) => key !== '__proto__' && key !== 'constructor'),
      fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__":')),
    )
    fc.assert(
      fc.property(fc.array(args, { minLength: 1, maxLength: 5 }), (all) => {
        const toolArguments = JSON.stringify({ now: all })
        const { calls } = readSelection({ selectedTools: 'now', toolArguments, isWhole: true }, tools)
        expect(calls.map((call) => call.args)).toEqual(all.map((each) => JSON.parse(JSON.stringify(each))))
      }),
    )
  })

  it('stays small, however long the texts are', () => {
    const many = readSelection({ selectedTools: 'fly,'.repeat(100_000), toolArguments: '', isWhole: true }, tools)
    expect(many.rejected).toHaveLength(101)
    const blank = readSelection({ selectedTools: `${','.repeat(500)}now`, toolArguments: '', isWhole: true }, tools)
    expect(blank.calls).toHaveLength(1)
    const unread = readSelection({ selectedTools: `${','.repeat(100_000)}now`, toolArguments: '', isWhole: true }, tools)
    expect(unread.rejected).toMatchObject([{ code: 'too_many' }])
    const numbers = readSelection(
      { selectedTools: 'now', toolArguments: `{"now":[${'1,'.repeat(100_000)}1]}`, isWhole: true },
      tools,
    )
    expect(numbers.rejected).toHaveLength(1)
    const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, {}])))
    expect(readSelection({ selectedTools: 'now', toolArguments: keys, isWhole: true }, tools).rejected).toHaveLength(101)
  })
})
