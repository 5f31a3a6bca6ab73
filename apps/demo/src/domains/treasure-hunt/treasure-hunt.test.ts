import { callTool } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import giveHint from './give-hint.ts'
import guessLocation from './guess-location.ts'

describe('give_hint', () => {
  it('T3-1: has one argument: an integer with the default 0', () => {
    expect(giveHint.arguments).toEqual([
      {
        name: 'hint_total',
        type: 'integer',
        description: 'The total number of hints already given',
        required: false,
        default: 0,
      },
    ])
  })

  it.each([
    [{}, 'The treasure is in a city known for its coffee and rain.'],
    [{ hint_total: 1 }, "It's located near a famous public market."],
    [{ hint_total: 2 }, "The address is on a street named after a US President's wife."],
    [{ hint_total: 3 }, 'No more hints available.'],
    [{ hint_total: 99 }, 'No more hints available.'],
  ])('T3-8: answers %j with the hint that follows', async (args, hint) => {
    expect(await callTool(giveHint, { id: '1', name: 'give_hint', args })).toMatchObject({ ok: true, output: { hint } })
  })

  it('T3-8: refuses a negative number and a fraction', async () => {
    for (const hint_total of [-1, 0.5])
      expect(await callTool(giveHint, { id: '1', name: 'give_hint', args: { hint_total } })).toMatchObject({
        ok: false,
        error: { code: 'invalid_arguments' },
      })
  })
})

describe('guess_location', () => {
  it('T3-3: has three arguments with the default ""', () => {
    expect(guessLocation.arguments.map((argument) => [argument.name, argument.default])).toEqual([
      ['address', ''],
      ['city', ''],
      ['state', ''],
    ])
  })

  it.each([
    [{ address: '101 Lenora St.', city: ' seattle', state: 'WA' }, true, ['address', 'city', 'state'], [], []],
    [{ address: '1 Main Street', city: 'Seattle' }, false, ['city'], ['address'], ['state']],
    [{}, false, [], [], ['address', 'city', 'state']],
    [{ state: 'Washington D.C.', address: 'Lenorastreet' }, false, [], ['address', 'state'], ['city']],
  ])('says of %j which parts are right', async (args, treasure_found, correct, wrong, missing) => {
    const result = await callTool(guessLocation, { id: '1', name: 'guess_location', args })
    expect(result).toMatchObject({ ok: true, output: { treasure_found, correct, wrong, missing } })
  })
})
