import { defineTool } from '@x/tool-core'
import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineSignature } from '../signature/define-signature.ts'
import { ToolCalls, Tools } from '../signature/tool-fields.ts'
import { jsonAdapter as adapter } from './json.ts'

const listCities = defineTool({ name: 'list_cities', description: 'Cities.', args: Type.Object({}), execute: () => [] })
const answer = defineSignature('question -> answer', { instructions: 'Answer.' })
const review = defineSignature({
  instructions: 'Judge.',
  inputs: { review: Type.String() },
  outputs: {
    mood: Type.Enum(['good', 'bad']),
    score: Type.Integer(),
    note: Type.Optional(Type.String()),
    limit: Type.Integer({ default: 3 }),
  },
})
const plan = defineSignature({
  instructions: 'Plan.',
  inputs: { question: Type.String(), tools: Tools() },
  outputs: { reasoning: Type.String(), tool_calls: ToolCalls() },
})
const say = (text: string) => ({ text, toolCalls: [] })

describe('the request of the JSON adapter', () => {
  it('asks for one object, in the prompt and with the response format', () => {
    const { messages, responseFormat } = adapter.format(review, { review: 'Fine.' })
    expect(responseFormat).toEqual({
      type: 'json',
      schema: { type: 'object', properties: review.outputs, required: ['mood', 'score'] },
    })
    expect(messages[0]?.content).toContain(
      `Reply with one JSON object that matches this schema, and nothing else:\n{"type":"object"`,
    )
    expect(messages[1]).toEqual({ role: 'user', content: 'Fine.' })
  })

  it('leaves the response format unchanged if the caller sets one', () => {
    const responseFormat = { type: 'json' } as const
    expect(adapter.format(review, { review: 'Fine.' }, { responseFormat }).responseFormat).toBe(responseFormat)
  })

  it('holds no reply to JSON that may be a call', () => {
    const request = adapter.format(plan, { question: 'Where?', tools: [listCities] })
    expect(Object.keys(request)).toContain('tools')
    expect(request).not.toHaveProperty('responseFormat')
    expect(request.messages[0]?.content).toBe('Plan.')
  })
})

describe('a reply to the JSON adapter', () => {
  it.each([
    '{"mood":"good","score":5,"limit":3}',
    '```json\n{"mood": "good", "score": "5", "limit": 3,}\n```',
    "Here you are: {'mood': 'good', 'score': 5, 'note': null, 'other': 1}",
    '[[ ## mood ## ]]\ngood\n[[ ## score ## ]]\n5',
  ])('is parsed: %j', (text) => {
    const { outputs, errors } = adapter.parse(review, say(text))
    expect([outputs, errors]).toEqual([{ mood: 'good', score: 5, limit: 3 }, []])
  })

  it('reports what was changed in each field', () => {
    expect(adapter.parse(review, say('{"mood":"good","score":"5",}')).recoveredFields).toEqual([
      { field: 'mood', tags: ['trailing_comma'] },
      { field: 'score', tags: ['trailing_comma', 'coerced'] },
      { field: 'limit', tags: ['defaulted'] },
    ])
  })

  it('is plain text if the only output is text and the reply has no matching object', () => {
    for (const text of ['It is warm.', '{"city":"Oslo"}', '{"answer":{"city":"Oslo"}}', '5'])
      expect(adapter.parse(answer, say(text)).outputs).toEqual({ answer: text })
    expect(adapter.parse(answer, say('{"answer":"It is warm."}')).outputs).toEqual({ answer: 'It is warm.' })
  })

  it.each(['{"answer":"It is', '```json\n{"answer": now()}\n```', '{"answer":"x"'])(
    'is refused as plain text if it is a malformed object: %j',
    (text) => {
      const { outputs, errors } = adapter.parse(answer, say(text))
      expect([outputs, errors]).toMatchObject([{ answer: '' }, [{ code: 'invalid_output', field: 'answer' }]])
    },
  )

  it("isn't searched for an object inside text if there are tools", () => {
    const text = 'Send {"reasoning":"x"} to them.'
    expect(adapter.parse(plan, say(text)).outputs.reasoning).toBe(text)
    expect(adapter.parse(plan, say('{"reasoning":"x"}')).outputs.reasoning).toBe('x')
  })

  it('may be the value of a single field', () => {
    const signature = defineSignature('text -> tags: string[]')
    expect(adapter.parse(signature, say('["a", "b"]')).outputs).toEqual({ tags: ['a', 'b'] })
  })

  it('T4-11: is reported with each missing or invalid field', () => {
    const { outputs, errors } = adapter.parse(review, say('{"mood":"fair","note":7}'))
    expect(outputs).toEqual({ limit: 3 })
    expect(errors.map(({ code, field }) => [code, field])).toEqual([
      ['invalid_output', 'mood'],
      ['missing_output', 'score'],
      ['invalid_output', 'note'],
    ])
  })

  it("is reported with the position of the fault if it isn't an object", () => {
    const { errors } = adapter.parse(review, say('{"mood":"good","score":}'))
    expect(errors).toMatchObject([{ code: 'invalid_output', field: 'mood' }])
    expect(errors[0]?.message).toContain('(missing_value at character 23)')
  })

  it('is refused if it was truncated, even if its brackets could be closed', () => {
    const open = say('{"mood":"good","score":5')
    expect(adapter.parse(review, open).errors).toHaveLength(1)
    expect(adapter.parse(review, { ...open, finishReason: 'length' }).errors).toMatchObject([{ code: 'truncated_output' }])
    expect(adapter.parse(review, { ...say('{"mood":"good","score":5,"note":"x"'), finishReason: 'stop' }).errors).toEqual([])
  })

  it('never causes an exception, and yields any object of outputs unchanged', () => {
    fc.assert(fc.property(fc.json(), (text) => adapter.parse(review, say(text)).response.text === text))
    fc.assert(
      fc.property(fc.constantFrom('good', 'bad'), fc.integer(), fc.string(), (mood, score, note) => {
        const outputs = { mood, score, note, limit: 1 }
        expect(adapter.parse(review, say(JSON.stringify(outputs))).outputs).toEqual(outputs)
      }),
    )
  })
})
