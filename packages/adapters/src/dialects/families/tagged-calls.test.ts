/** A dialect made of options alone keeps the contract, and reads what its model would write. */
import { describe, expect, it } from 'vitest'
import { dialectContract } from '../../testing/dialect-contract.ts'
import { defineDialect } from '../define-dialect.ts'
import { formatJsonBlocks, jsonBlock } from './json-block.ts'
import { taggedCalls } from './tagged-calls.ts'

const CALL = { open: '<function name="', nameEnd: '">', close: '</function>' }
const PARAMETER = { open: '<param name="', keyEnd: '">', close: '</param>' }

const wrapped = defineDialect({
  name: 'wrapped',
  ...taggedCalls({ wrapper: { open: '<calls>', close: '</calls>' }, call: CALL, parameter: PARAMETER, trim: 'lines' }),
})
const bare = defineDialect({ name: 'bare', ...taggedCalls({ call: CALL, parameter: PARAMETER }) })
const keyed = defineDialect({
  name: 'keyed',
  blocks: [jsonBlock({ open: '<|tools|>', close: '<|end_tools|>', shape: { isKeyed: true } })],
  formatCalls: formatJsonBlocks({ open: '<|tools|>', close: '<|end_tools|>', together: 'list', isKeyed: true }),
})

describe.each([wrapped, bare, keyed])('the dialect $name', (dialect) => {
  for (const { name, run } of dialectContract(dialect, { runs: 200, leastWritten: 0.3 })) it(name, { timeout: 120_000 }, run)
})

const read = (text: string) => bare.parse(text).toolCalls.map(({ name, arguments: args, tags }) => [name, args, ...(tags ?? [])])

describe('a call in tags', () => {
  it('has text for each parameter, and none where there are none', () => {
    expect(read('<function name="f"><param name="a">1 < 2</param> <param name="b"></param></function>')).toEqual([
      ['f', '{"a": "1 < 2", "b": ""}'],
    ])
    expect(read('<function name="f"></function><function name="g"></function>')).toEqual([
      ['f', '{}'],
      ['g', '{}'],
    ])
  })

  it('ends where the next one begins, and a value where the next tag is', () => {
    expect(read('<function name="f"><param name="a">x<function name="g"></function>')).toEqual([
      ['f', '{"a": "x"}', 'missing_end'],
      ['g', '{}'],
    ])
  })

  it('is text when its name does not end, and unread when something else stands in it', () => {
    expect(bare.parse('<function name="f').toolCalls).toEqual([])
    expect(bare.parse('<function name="f\n">')).toEqual({ text: '<function name="f\n">', toolCalls: [] })
    expect(bare.parse('<function name="f">what</function>')).toMatchObject({
      toolCalls: [],
      unreadCalls: ['<function name="f">'],
    })
  })
})
