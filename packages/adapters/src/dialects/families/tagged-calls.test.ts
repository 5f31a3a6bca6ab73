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

  it('without parameters is unread where the policy asks for arguments', () => {
    const text = '<function name="f"></function>'
    expect(bare.parse(text, { missingArguments: 'unread' })).toMatchObject({ toolCalls: [], unreadCalls: [text.slice(0, 19)] })
  })

  it('that lacks only its end is one if all declared parameters have come, unless calls need their end', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }
    const tools = [{ type: 'function' as const, function: { name: 'f', description: '', parameters } }]
    const text = '<function name="f"><param name="a">1</param>'
    for (const rest of ['', '\n', '</func'])
      expect(bare.parse(`${text}<param name="b">2</param>${rest}`, { tools }).toolCalls).toMatchObject([
        { arguments: '{"a": "1", "b": "2"}', tags: ['missing_end'] },
      ])
    for (const rest of ['', '</func', '<param name="b">2', '<param name="b">2</param><par'])
      expect(bare.parse(text + rest, { tools }).toolCalls).toEqual([])
    expect(bare.parse(`${text}<param name="b">2</param>`, { tools, unfinished: 'never' }).toolCalls).toEqual([])
    expect(bare.parse(text).toolCalls).toEqual([])
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
