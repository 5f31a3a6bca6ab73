import { describe, expect, it } from 'vitest'
import { cohere } from '../../cohere.ts'
import type { Dialect } from '../../define/dialect.ts'
import { dspyChatadapter } from '../../dspy-chatadapter.ts'
import { genericJson } from '../../generic-json.ts'
import { granite } from '../../granite.ts'
import { hermes } from '../../hermes.ts'
import { jamba } from '../../jamba.ts'
import { llama3Json } from '../../llama3-json.ts'
import { mistral } from '../../mistral.ts'
import { phi4mini } from '../../phi4mini.ts'
import { xlam } from '../../xlam.ts'

const first = '{"name": "f", "arguments": {"a": 1}}'
const last = '{"name": "g", "arguments": {"a": 2}}'

const BAD = [
  '{"nam": "b"}',
  '{"arguments": {"a": 1}}',
  '{"name": 5, "arguments": {"a": 1}}',
  '{"name": b, "arguments": {"a": 1}}',
  '{"name": "b", "arguments": oops}',
  '{"name": "b": {"a": 1}}',
  '{"name": "b"',
  '{b}',
  '"b"',
  'null',
  '[1]',
]

function read(dialect: Dialect, text: string) {
  const { toolCalls, malformedCalls = [] } = dialect.parse(text)
  return { calls: toolCalls.map(({ name, arguments: json }) => [name, JSON.parse(json).a]), malformed: malformedCalls.length }
}

/** Parses the same text in pieces. */
function readPieces(dialect: Dialect, text: string) {
  const parser = dialect.streamParser()
  const deltas = [...[...text].flatMap((unit) => [...parser.push(unit)]), ...parser.end()]
  return {
    malformed: deltas.flatMap((delta) => (delta.type === 'malformed_call' ? [delta.text] : [])),
    text: deltas
      .map((delta) => (delta.type === 'text' ? delta.text : ''))
      .join('')
      .trim(),
  }
}

const marked: readonly (readonly [Dialect, string, string])[] = [
  [hermes, '<tool_call>[', ']</tool_call>'],
  [jamba, '<tool_calls>[', ']</tool_calls>'],
  [cohere, '<|START_ACTION|>[', ']<|END_ACTION|>'],
  [granite, '<|tool_call|>[', ']'],
  [phi4mini, 'functools[', ']'],
  [mistral, '[TOOL_CALLS] [', ']'],
]
const bare: readonly (readonly [Dialect, string, string])[] = [genericJson, llama3Json, xlam].map((dialect) => [
  dialect,
  '[',
  ']',
])

describe.each([...marked, ...bare].map(([dialect, open, close]) => ({ name: dialect.name, dialect, open, close })))(
  'a list of $name',
  ({ dialect, open, close }) => {
    const calls = [
      ['f', 1],
      ['g', 2],
    ]

    it.each(BAD)('parses the calls next to %j, which is malformed', (bad) => {
      for (const items of [
        [first, bad, last],
        [first, last, bad],
      ])
        expect(read(dialect, open + items.join(', ') + close)).toEqual({ calls, malformed: 1 })
    })

    it('is parsed in the same way in any pieces', () => {
      for (const bad of BAD) {
        const text = open + [first, bad, last].join(', ') + close
        const { malformedCalls, text: content } = dialect.parse(text)
        expect(readPieces(dialect, text)).toEqual({ malformed: malformedCalls, text: content })
      }
    })
  },
)

it.each(marked.filter(([dialect]) => dialect !== phi4mini))(
  'parses the calls after a malformed one (%$)',
  (dialect, open, close) => {
    for (const bad of BAD)
      expect(read(dialect, open + [bad, first, last].join(', ') + close)).toEqual({
        calls: [
          ['f', 1],
          ['g', 2],
        ],
        malformed: 1,
      })
  },
)

it('parses the objects of a row in the same way as those of a list', () => {
  for (const bad of BAD.filter((text) => text !== 'null'))
    expect(read(hermes, `<tool_call>${[first, bad, last].join(',\n')}</tool_call>`)).toEqual({
      calls: [
        ['f', 1],
        ['g', 2],
      ],
      malformed: 1,
    })
})

it('reports only the text of a malformed item, and keeps it as text if the dialect keeps malformed blocks', () => {
  const list = `<tool_call>[${[first, '{"nam": "b"}', last].join(', ')}]</tool_call>`
  expect(hermes.parse(list)).toMatchObject({ malformedCalls: ['{"nam": "b"}, '], text: '{"nam": "b"},' })
  expect(hermes.parse(list, { malformedBlock: 'drop' }).text).toBe('')
})

it('finds no call in the data of a malformed item', () => {
  const bad = '{"name": "b", "arguments": oops, "people": [{"name": "Ann", "arguments": {}}, {"name": "Bo"}]}'
  expect(read(hermes, `<tool_call>[${first}, ${bad}]</tool_call>`)).toEqual({ calls: [['f', 1]], malformed: 1 })
})

it('parses the calls of a field as well', () => {
  const text = (...items: string[]) => `[[ ## tool_calls ## ]]\n{"tool_calls": [${items.join(', ')}]}\n\n[[ ## completed ## ]]`
  for (const bad of ['{"nam": "b"}', '{b}', '{"name": "b": {"a": 1}}'])
    expect(read(dspyChatadapter, text(first, bad, last))).toEqual({
      calls: [
        ['f', 1],
        ['g', 2],
      ],
      malformed: 1,
    })
})

it.each([
  ['{"name": "a", ": {"o":"', '[[ ## x ## ]]","query":null}}]}\n\n[[ ## completed ## ]]'],
  ['{"nam": "a"}', ''],
])('reports the malformed item %j once if nothing else is left of its block', (bad, rest) => {
  const text = `[[ ## tool_calls ## ]]\n{"tool_calls": [{"name": "t", "args": {}}, ${bad}${rest}`
  expect(dspyChatadapter.parse(text)).toMatchObject({ toolCalls: [{ name: 't' }], malformedCalls: [bad] })
  expect(readPieces(dspyChatadapter, text).malformed).toEqual([bad])
})

it('parses nothing after a string without an end, because later text may belong to it', () => {
  const text = `<tool_call>[${first}, {"name": "b", "arguments": {"a": "x}}, ${last}]</tool_call>`
  expect(read(hermes, text)).toEqual({ calls: [['f', 1]], malformed: 1 })
})
