import type { LMRequest, LMResponse, Message } from '@x/adapters'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../../scripts/any-character.ts'
import { plannerLM } from './planner-lm.ts'

const lm = plannerLM()
const names = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'get_row',
  'find_rows',
  'a.b-c',
  'сделать',
  '',
  'x'.repeat(300),
)
const words = fc.constantFrom(
  'find',
  'rows',
  'under',
  '10',
  'and',
  'add',
  'the',
  'cheapest',
  'one',
  '"a b"',
  'A-12',
  '2026-07-04',
  'is',
  ',',
  '?',
  '.',
  'Ünï',
  '漢字',
  '__proto__',
  '\u0000',
  "'",
  '[1, 2]',
  'x^2',
)
const sentence = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.array(words, { maxLength: 14 }).map((list) => list.join(' ')),
)

const schema = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      undefined,
      null,
      true,
      7,
      'text',
      [],
      {},
      { $ref: '#' },
      { $ref: '#/nowhere/__proto__' },
      { enum: [] },
      { enum: [1, 'a', null, {}] },
      { const: 'on' },
      { type: ['integer', 'null'] },
      { type: 'any' },
    ),
    fc.record(
      {
        type: fc.constantFrom('string', 'integer', 'number', 'boolean'),
        description: sentence,
        format: fc.constantFrom('date', 'email', 'nothing'),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('array'), items: tie('node') }),
    fc.record({ anyOf: fc.array(tie('node'), { maxLength: 3 }) }),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(names, tie('node'), { maxKeys: 4 }),
        required: fc.oneof(fc.array(names, { maxLength: 3 }), fc.constant('all')),
      },
      { requiredKeys: ['type'] },
    ),
  ),
})).node

const tool = fc.record({
  type: fc.constant('function'),
  function: fc.record({ name: names, description: sentence, parameters: schema }, { requiredKeys: ['name'] }),
})
const call = fc.record({
  id: fc.constantFrom('1', '2', '__proto__'),
  name: names,
  arguments: fc.oneof(sentence, fc.json({ maxDepth: 2 })),
})
const message = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'system'), content: sentence }),
  fc.record({ role: fc.constant('assistant'), content: sentence, toolCalls: fc.array(call, { maxLength: 2 }) }),
  fc.record({
    role: fc.constant('tool'),
    callId: fc.constantFrom('1', '2'),
    name: names,
    content: fc.oneof(sentence, fc.json({ maxDepth: 3 })),
    isError: fc.boolean(),
  }),
)
const request = fc.record(
  {
    messages: fc.array(message, { maxLength: 6 }),
    tools: fc.array(tool, { maxLength: 4 }),
    toolChoice: fc.oneof(fc.constantFrom('auto', 'none', 'required'), fc.record({ name: names })),
    parallelToolCalls: fc.boolean(),
  },
  { requiredKeys: ['messages'] },
) as fc.Arbitrary<unknown> as fc.Arbitrary<LMRequest>

const FULL = Boolean(process.env.X_FULL)

describe('plannerLM, for any request', () => {
  it('answers with text or calls, and always the same for the same request', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (anyRequest) => {
        const response = await lm.generate(anyRequest)
        expect(await lm.generate(structuredClone(anyRequest))).toEqual(response)
        expect(response.text !== '' || response.toolCalls.length > 0).toBe(true)
        for (const { arguments: written } of response.toolCalls) expect(JSON.parse(written)).toBeTypeOf('object')
      }),
      { numRuns: FULL ? 300 : 60 },
    )
  })

  it('calls only tools that are offered, with ids that are unique in the conversation', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (anyRequest) => {
        const { toolCalls } = await lm.generate(anyRequest)
        const offered = (anyRequest.tools ?? []).map((offer) => offer.function.name)
        for (const { name } of toolCalls) expect(offered).toContain(name)
        const next: Message[] = [...anyRequest.messages, { role: 'assistant', content: '', toolCalls }]
        const later = await lm.generate({ ...anyRequest, messages: next })
        const ids = [...toolCalls, ...later.toolCalls].map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
      }),
      { numRuns: FULL ? 150 : 30 },
    )
  })

  it('streams what it generates', async () => {
    await fc.assert(
      fc.asyncProperty(request, async (anyRequest) => {
        expect(await collect(anyRequest)).toEqual(await lm.generate(anyRequest))
      }),
      { numRuns: FULL ? 150 : 30 },
    )
  })

  it.each([
    ['letters', 'a'],
    ['quotation marks', `"'`],
    ['signs', '.,-^*/'],
    ['words', 'find rows under 10 and add the first one to A-1, '],
    ['joined values', 'find "a" in A-1, and "b" in '],
    ['pronouns', 'that i you we have '],
    ['digits', '1,000.'],
    ['dots and ats', 'a.b@'],
  ])('reads a huge text of %s in linear time', async (_, unit) => {
    // If this took more than linear time, it would take minutes.
    const content = unit.repeat(2_000_000 / unit.length)
    const properties = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`row_${index}`, { type: index % 2 ? 'number' : 'string', description: 'a row' }]),
    )
    const spec = {
      type: 'function' as const,
      function: {
        name: 'find_rows',
        description: 'Find rows',
        parameters: { type: 'object', properties, required: Object.keys(properties) },
      },
    }
    const { text, toolCalls } = await lm.generate({
      messages: [{ role: 'user', content }],
      tools: [spec, { ...spec }, { ...spec }],
    })
    expect(text !== '' || toolCalls.length > 0).toBe(true)
  })
})

async function collect(anyRequest: LMRequest): Promise<LMResponse> {
  let text = ''
  let finishReason: LMResponse['finishReason']
  const toolCalls: { id: string; name: string; arguments: string }[] = []
  for await (const delta of lm.stream?.(anyRequest) ?? []) {
    if (delta.type === 'text') text += delta.text
    else if (delta.type === 'call_start') toolCalls[delta.index] = { id: delta.id, name: delta.name, arguments: '' }
    else if (delta.type === 'arguments') (toolCalls[delta.index] as { arguments: string }).arguments += delta.text
    else if (delta.type === 'finish') finishReason = delta.finishReason
  }
  return { text, toolCalls, finishReason }
}
