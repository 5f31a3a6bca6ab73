import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { chatAdapter } from '../adapters/chat.ts'
import { jsonAdapter } from '../adapters/json.ts'
import { nativeAdapter } from '../adapters/native.ts'
import { textAdapter } from '../adapters/text.ts'
import { hermes } from '../dialects/hermes.ts'
import { defineSignature } from './define-signature.ts'
import { ToolCalls, Tools } from './tool-fields.ts'

const adapters = [nativeAdapter, textAdapter(hermes), chatAdapter, jsonAdapter]
const getWeather = defineTool({
  name: 'get_weather',
  description: 'Weather.',
  args: Type.Object({ city: Type.String() }),
  execute: ({ city }) => city,
})
const review = defineSignature({
  instructions: 'Judge the review.',
  inputs: { review: Type.String() },
  outputs: { mood: Type.Enum(['good', 'bad']), score: Type.Integer(), note: Type.Optional(Type.String()) },
  examples: [{ inputs: { review: 'Fine tea.' }, outputs: { mood: 'good', score: 5 } }, { inputs: { review: 'Hm.' } }],
})
const plan = defineSignature({
  instructions: '',
  inputs: { question: Type.String(), tools: Tools() },
  outputs: { reasoning: Type.String(), tool_calls: ToolCalls() },
  examples: [
    {
      inputs: { question: 'Warm in Rome?' },
      outputs: { reasoning: 'Look.', tool_calls: [{ id: 'mine', name: 'get_weather', args: { city: 'Rome' } }] },
    },
  ],
})

describe('examples', () => {
  it.each(adapters.map((adapter) => [adapter.name, adapter] as const))(
    "are sent before earlier messages, and aren't recorded: %s",
    (_, adapter) => {
      const earlier = [
        { role: 'user' as const, content: 'Before.' },
        { role: 'assistant' as const, content: 'Yes.' },
      ]
      const conversation = adapter.begin(review, { review: 'Weak.' }, earlier)
      const { messages } = conversation.request()
      expect(messages.map(({ role }) => role)).toEqual([
        'system',
        ...['user', 'assistant', 'user', 'assistant'],
        ...['user', 'assistant', 'user'],
      ])
      expect(messages[1]?.content).toContain('Fine tea.')
      expect(messages[5]).toEqual(earlier[0])
      expect(JSON.stringify(conversation.messages)).not.toContain('Fine tea.')
    },
  )

  it.each(adapters.map((adapter) => [adapter.name, adapter] as const))(
    'are written so that the adapter can parse them: %s',
    (_, adapter) => {
      const text = adapter.format(review, { review: 'Weak.' }).messages[2]?.content ?? ''
      const { outputs, errors } = adapter.parse(review, { text, toolCalls: [] })
      expect([outputs, errors]).toEqual([{ mood: 'good', score: 5 }, []])
    },
  )

  it.each(adapters.map((adapter) => [adapter.name, adapter] as const))('mark outputs that are not given: %s', (_, adapter) => {
    const text = adapter.format(review, { review: 'Weak.' }).messages[4]?.content ?? ''
    expect(text.split('Not given in this example.')).toHaveLength(3)
    expect(text).not.toContain('note')
  })

  it('write calls as tool calls, each with a result and its own id', () => {
    const [user, assistant, result] = nativeAdapter.format(plan, { question: 'q', tools: [getWeather] }).messages
    const toolCalls = [{ id: 'example_0_0', name: 'get_weather', arguments: '{"city":"Rome"}' }]
    expect(user).toEqual({ role: 'user', content: 'Warm in Rome?' })
    expect(assistant).toEqual({ role: 'assistant', content: 'Look.', toolCalls })
    expect(result).toEqual({ role: 'tool', callId: 'example_0_0', name: 'get_weather', content: 'Example.' })
  })

  it('write calls in the dialect of a text adapter', () => {
    const adapter = textAdapter(hermes)
    const text = adapter.format(plan, { question: 'q', tools: [getWeather] }).messages[2]?.content ?? ''
    expect(adapter.parse(plan, { text, toolCalls: [] }).outputs).toMatchObject({
      reasoning: 'Look.',
      tool_calls: [{ name: 'get_weather', args: { city: 'Rome' } }],
    })
  })

  it("don't change a request if there are none", () => {
    const { examples, ...bare } = review
    const none = nativeAdapter.format({ ...bare, examples: [] }, { review: 'q' })
    expect(JSON.stringify(none)).toBe(JSON.stringify(nativeAdapter.format(bare, { review: 'q' })))
  })
})

describe('an invalid example', () => {
  const define = (example: unknown) => () =>
    defineSignature({ ...plan, outputs: { ...review.outputs, ...plan.outputs }, examples: [example as never] })

  it.each([
    [null, 'examples[0] must have the form'],
    [{ inputs: {} }, 'examples[0].inputs is missing the input "question"'],
    [{ inputs: { question: undefined } }, 'examples[0].inputs is missing the input "question"'],
    [{ inputs: { question: 5 } }, 'examples[0].inputs.question must be of type string'],
    [{ inputs: { question: 'q', mood: 'x' } }, 'examples[0].inputs has "mood", which the signature does not declare'],
    [{ inputs: { question: 'q', tools: [] } }, 'examples[0].inputs.tools contains tools'],
    [{ inputs: { question: 'q' }, outputs: { score: 1.5 } }, 'examples[0].outputs.score must be of type integer'],
    [{ inputs: { question: 'q' }, outputs: { mood: 'fair' } }, 'examples[0].outputs.mood must be one of: good, bad'],
    [{ inputs: { question: 'q' }, outputs: { tool_calls: [{ name: 'a' }] } }, 'examples[0].outputs.tool_calls must be an array'],
    [{ inputs: { question: 'q' }, outputs: { score: 5n } }, 'examples[0].outputs.score cannot be written as JSON'],
    [JSON.parse('{"inputs":{"question":"q"},"outputs":{"__proto__":1}}'), 'has "__proto__"'],
  ])('is refused at definition: %#', (example, words) => {
    expect(define(example)).toThrow(TypeError)
    expect(define(example)).toThrow(words)
  })
})
