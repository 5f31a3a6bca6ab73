import type { Tool } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineTool, defineToolset, type Loose, prefixed } from '../../test/loose.ts'
import { definitionError, echo, namesOf } from '../../test/tools.ts'

const giveHint = defineTool({
  name: 'give_hint',
  description: 'Gives a hint.',
  args: Type.Object({ hintTotal: Type.Integer({ default: 0 }) }),
  execute: ({ hintTotal }) => ({ hint: `Hint ${hintTotal}` }),
})
const guess = defineTool({ name: 'guess_location', description: 'Guesses.', args: Type.Object({}), execute: () => true })

const hunt = defineToolset({
  name: 'treasure_hunt',
  description: 'Finds the treasure.',
  instructions: 'Give hints before you guess.',
  tools: [giveHint, guess],
  testCases: [{ request: 'I am stuck', expectedTools: ['give_hint'], expectedArguments: { give_hint: { hintTotal: 1 } } }],
})

describe('defineToolset', () => {
  it('T3-23: keeps its name, and the tools themselves in order', () => {
    expect(hunt).toMatchObject({
      name: 'treasure_hunt',
      description: 'Finds the treasure.',
      instructions: 'Give hints before you guess.',
    })
    expect(hunt.tools()).toEqual([giveHint, guess])
    expect(hunt.tools()).toBe(hunt.tools())
  })

  it('T3-23: is frozen with its lists, and ignores later changes to its options', () => {
    const tools: Tool[] = [giveHint]
    const set = defineToolset({ name: 'x', description: 'X.', tools })
    tools.push(guess)
    expect(set.tools()).toEqual([giveHint])
    for (const part of [set, set.tools(), hunt.testCases, hunt.testCases[0], hunt.testCases[0]?.expectedTools]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })

  it('T3-23: gets a new tool as another entry of the list', () => {
    const more = defineToolset({ name: 'x', description: 'X.', tools: [...hunt.tools(), echo('translate')] })
    expect(namesOf(more.tools())).toEqual(['give_hint', 'guess_location', 'translate'])
  })

  it('can be prefixed', () => {
    expect(namesOf(prefixed(hunt, 'hunt').tools())).toEqual(['hunt_give_hint', 'hunt_guess_location'])
  })

  it('keeps the test cases', () => {
    expect(hunt.testCases).toEqual([
      { request: 'I am stuck', expectedTools: ['give_hint'], expectedArguments: { give_hint: { hintTotal: 1 } } },
    ])
  })

  it('has open and close only if they are passed', async () => {
    const log: string[] = []
    const set = defineToolset({ name: 'x', description: 'X.', tools: [], open: async () => void log.push('open') })
    await set.open?.()
    expect(log).toEqual(['open'])
    expect(set).not.toHaveProperty('close')
  })
})

describe('an invalid definition', () => {
  const define = (changes: object) => () =>
    defineToolset({ name: 'x', description: 'X.', tools: [giveHint, guess] as Tool[], ...changes } as never)

  it.each<Loose>([
    [{ name: '' }, 'defineToolset: name must be a non-empty string, got an empty string.'],
    [{ name: undefined }, 'defineToolset: name must be a non-empty string, got undefined.'],
    [{ description: ' ' }, 'defineToolset("x"): description must be a non-empty string, got a string.'],
    [{ tools: giveHint }, 'defineToolset("x"): tools must be a list of tools, got a value of type object. Write [tool].'],
    [{ tools: [giveHint, { name: 'fake' }] }, 'defineToolset("x"): entry 2 of tools is not a tool. Create it with defineTool.'],
    [
      { testCases: [{ request: '', expectedTools: [] }] },
      'defineToolset("x"): the request of a test case must be a non-empty string, got an empty string.',
    ],
    [
      { testCases: [{ request: 'Hi', expectedTools: ['give_hnt'] }] },
      'defineToolset("x"): the test case "Hi": the source has no tool "give_hnt". Did you mean "give_hint"?',
    ],
    [
      { testCases: [{ request: 'Hi', expectedTools: [], expectedArguments: { give_hint: {} } }] },
      'defineToolset("x"): the test case "Hi" has expectedArguments for "give_hint", which is not in its expectedTools. Add it there, or remove its arguments.',
    ],
  ])('%j', (changes, message) => {
    expect(definitionError(define(changes))).toBe(message)
  })

  it.each<Loose>([
    [[giveHint, giveHint], 'give_hint'],
    [[giveHint, echo('Give_Hint')], 'Give_Hint'],
  ])('refuses two tools with the same name', (tools, name) => {
    expect(definitionError(define({ tools }))).toBe(
      `defineToolset("x"): two tools are named "${name}" (case is ignored). Remove or rename one of them.`,
    )
  })
})

it.each([undefined, null, 'hunt'])('refuses %o in place of a definition, and shows the expected form', (given) => {
  const words = definitionError(() => defineToolset(given as never))
  expect(words).toContain('Write defineToolset({ name, description, tools }).')
})
