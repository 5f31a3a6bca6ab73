/** Tests that a dialect defined only by options satisfies the contract and parses what a model would write. */
import { describe, expect, it } from 'vitest'
import { dialectContract } from '../../../testing/dialect-contract.ts'
import type { BlockDefinition } from '../../define/definition.ts'
import { defineDialect } from '../../define/own-dialect.ts'
import { loose, MarkerSet } from '../../engine/marker.ts'
import { formatJsonBlocks, jsonBlock } from '../json/json-block.ts'
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
  for (const { name, run } of dialectContract(dialect, { runs: process.env.X_FULL ? 200 : 20, leastWritten: 0.3 })) it(name, run)
})

const read = (text: string) => bare.parse(text).toolCalls.map(({ name, arguments: args, tags }) => [name, args, ...(tags ?? [])])

describe('a call in tags', () => {
  it('has text for each parameter, and an empty object without parameters', () => {
    expect(read('<function name="f"><param name="a">1 < 2</param> <param name="b"></param></function>')).toEqual([
      ['f', '{"a": "1 < 2", "b": ""}'],
    ])
    expect(read('<function name="f"></function><function name="g"></function>')).toEqual([
      ['f', '{}'],
      ['g', '{}'],
    ])
  })

  it('ends at the start of the next call, and a value at the next tag', () => {
    expect(read('<function name="f"><param name="a">x<function name="g"></function>')).toEqual([
      ['f', '{"a": "x"}', 'repaired', 'missing_end'],
      ['g', '{}'],
    ])
  })

  it('removes and tags text between its parameters', () => {
    expect(read('<function name="f"><param name="a">x</param> and <param name="b">y</param></function>')).toEqual([
      ['f', '{"a": "x", "b": "y"}', 'repaired'],
    ])
  })

  it('may have tags in several spellings, and is written with the first', () => {
    const forms = defineDialect({
      name: 'forms',
      ...taggedCalls({
        call: { open: ['<fn=', loose('< function =')], nameEnd: ['>', loose(' |')], close: ['</fn>', '</function>'] },
        parameter: { open: ['<arg=', '<p='], keyEnd: '>', close: ['</arg>', '</p>'] },
      }),
    })
    const call = { id: '1', name: 'f', arguments: '{"a": "1"}' }
    expect(forms.formatCall(call)).toEqual({ ok: true, text: '<fn=f><arg=a>1</arg></fn>' })
    for (const text of ['<fn=f><arg=a>1</arg></fn>', '<function=f |<p=a>1</p></function>', '< function = f><arg=a>1</p></fn>'])
      expect(forms.parse(text)).toEqual({ text: '', toolCalls: [{ ...call, id: 'call_0' }] })
    expect(
      forms.formatCall({
        ...call,
        arguments: '{"a": "</p>"}',
      }),
    ).toMatchObject({
      ok: false,
      code: 'unrepresentable_value',
      message: expect.stringMatching(/ Use a dialect that writes arguments as JSON\.$/),
    })
  })

  it('is refused if a value or a name and its end tag together would end early', () => {
    const seams = defineDialect({
      name: 'seams',
      ...taggedCalls({
        call: { open: '<call:', nameEnd: '>>', close: '</call>' },
        parameter: { open: '<', keyEnd: '="""', close: '"""' },
      }),
    })
    const write = (name: string, a: string) => seams.formatCall({ id: '', name, arguments: JSON.stringify({ a }) })
    expect(write('f', 'say "hi"')).toMatchObject({ ok: false, code: 'unrepresentable_value' })
    expect(write('f>', 'x')).toMatchObject({ ok: false, code: 'invalid_name' })
    expect(write('f', 'say "hi" ')).toMatchObject({ ok: true })
    const longest = 'n'.repeat(256)
    const { text } = bare.formatCall({ id: '', name: longest, arguments: '{}' }) as { text: string }
    expect(bare.parse(text).toolCalls).toMatchObject([{ name: longest }])
    expect(bare.parse(text.replace(longest, `${longest}n`)).toolCalls).toEqual([])
    expect(bare.formatCall({ id: '', name: `${longest}n`, arguments: '{}' })).toMatchObject({ ok: false })
  })

  it('is read by another reader up to its own end', () => {
    const [block] = taggedCalls({ call: CALL, parameter: PARAMETER }).blocks
    const outer = defineDialect({
      name: 'outer',
      blocks: [
        {
          open: '<function name="',
          *read(context) {
            const outcome = yield* (block as BlockDefinition).read(context)
            return (yield* context.input.match(new MarkerSet({ end: '!' }))) === 'end' ? outcome : 'malformed'
          },
        },
      ],
      formatCalls: () => '',
    })
    const call = '<function name="f"></function>'
    expect(outer.parse(`${call}!${call}!`).toolCalls).toHaveLength(2)
    expect(outer.parse(`${call}!${call}`)).toMatchObject({ toolCalls: [{ name: 'f' }], malformedCalls: [call] })
  })

  it('is malformed without parameters if the policy requires arguments', () => {
    const text = '<function name="f"></function>'
    expect(bare.parse(text, { missingArguments: 'malformed' })).toMatchObject({
      toolCalls: [],
      malformedCalls: [text.slice(0, 19)],
    })
  })

  it('without an end tag is a call if all declared parameters are present, unless the policy requires the end', () => {
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

  it("is text if its name doesn't end, and malformed if it contains other text", () => {
    expect(bare.parse('<function name="f').toolCalls).toEqual([])
    expect(bare.parse('<function name="f\n">')).toEqual({ text: '<function name="f\n">', toolCalls: [] })
    expect(bare.parse('<function name="f">what</function>')).toMatchObject({
      toolCalls: [],
      malformedCalls: ['<function name="f">'],
    })
  })
})

describe('a name that ends at the first parameter', () => {
  const open = defineDialect({
    name: 'open',
    ...taggedCalls({
      wrapper: { open: '<calls>', close: '</calls>' },
      // The marker starts with another one, and the longest match wins.
      call: { open: '<call', close: '</call>' },
      parameter: { open: '<arg=', keyEnd: '>', close: '</arg>' },
    }),
  })
  const calls = (text: string) => open.parse(text).toolCalls.map(({ name, arguments: args }) => [name, args])

  for (const { name, run } of dialectContract(open, { runs: 100, leastWritten: 0.3 })) it(name, run)

  it('is parsed on one line, or before the next call', () => {
    const expected = [['f', '{"a": "1"}']]
    for (const text of [
      '<call f<arg=a>1</arg></call>',
      '<call f\n<arg=a>1</arg>\n</call>',
      '<calls><call f <arg=a>1</arg></call></calls>',
    ])
      expect(calls(text)).toEqual(expected)
    expect(calls('<calls><call f</call><call g</call></calls>')).toEqual([
      ['f', '{}'],
      ['g', '{}'],
    ])
  })

  it("isn't parsed in prose", () => {
    const text = 'Write <call and then a name.\nThat is all.'
    expect(open.parse(text)).toEqual({ text, toolCalls: [] })
  })
})
