/**
 * Tests that the contract finds each loss of content other than text and calls, in complete replies and in streams, for every wire format
 * that has such content.
 */
import { describe, expect, it } from 'vitest'
import { decoded, messages, streamed } from '../../test/testing/plants.ts'
import { type TestWire, WIRES } from '../../test/testing/wires.ts'
import type { LMDelta, LMResponse, Message, RawToolCall } from '../protocol/protocol.ts'
import { testWire as CHAT } from '../wire/openai-chat/samples.ts'
import type { WireFormat } from '../wire/wire-format.ts'
import { sorted } from './same-args.ts'
import type { WireCheckId, WireSampleFeature } from './wire-check.ts'
import { wireContract } from './wire-contract.ts'

type Plant = (wire: WireFormat) => Partial<WireFormat>

interface Loss {
  readonly name: string
  readonly feature: WireSampleFeature
  readonly noticedBy: WireCheckId
  readonly plants: readonly Plant[]
}

const LOSSES: readonly Loss[] = [
  {
    name: 'reasoning',
    feature: 'reasoning',
    noticedBy: 'reasoning',
    plants: [decoded(({ reasoning, ...response }) => response), without('reasoning')],
  },
  ...(['decode-sample', 'stream-sample'] as const).map(
    (noticedBy): Loss => ({
      name: `a refusal, or gives it as text (${noticedBy})`,
      feature: 'refusal',
      noticedBy,
      plants:
        noticedBy === 'decode-sample'
          ? [
              decoded(({ refusal, ...response }) => response),
              decoded(({ refusal = '', ...response }) => ({ ...response, text: response.text + refusal })),
              decoded((response) => ({ ...response, text: response.text + (response.refusal ?? '') })),
            ]
          : [
              without('refusal'),
              streamed((list) => list.map((delta) => (delta.type === 'refusal' ? { ...delta, type: 'text' } : delta))),
            ],
    }),
  ),
  {
    name: 'the metadata',
    feature: 'metadata',
    noticedBy: 'metadata-kept',
    plants: [
      decoded(({ metadata, ...response }) => ({ ...response, toolCalls: response.toolCalls.map(withoutMetadata) })),
      streamed((list) => list.filter(({ type }) => type !== 'metadata').map(withoutMetadata)),
      messages(withoutAnyMetadata),
    ],
  },
  {
    name: "the provider's word for the finish",
    feature: 'raw_finish',
    noticedBy: 'raw-finish',
    plants: [
      decoded(({ rawFinishReason, ...response }) => response),
      decoded((response) => ({ ...response, rawFinishReason: response.finishReason })),
      streamed((list) => list.map((delta) => (delta.type === 'finish' ? { ...delta, rawFinishReason: undefined } : delta))),
    ],
  },
  ...['keys', 'spaces in texts'].map(
    (what): Loss => ({
      name: `the spelling of arguments: their ${what}`,
      feature: 'spelling',
      noticedBy: 'arguments-spelling',
      plants: spelledAnew(what === 'keys' ? withSortedKeys : (text) => text.replaceAll('  ', ' ')),
    }),
  ),
  {
    name: 'usage',
    feature: 'usage',
    noticedBy: 'usage',
    plants: [decoded(({ usage, ...response }) => response), without('usage')],
  },
  {
    name: 'the code of an error',
    feature: 'error_code',
    noticedBy: 'error-replies',
    plants: [
      decoded((response) => ({ ...response, ...(response.error && { error: withoutCode(response.error) }) })),
      streamed((list) => list.map((delta) => (delta.type === 'error' ? { ...delta, error: withoutCode(delta.error) } : delta))),
      (wire) => ({
        decodeError: (body) => {
          const error = wire.decodeError?.(body)
          return error && withoutCode(error)
        },
      }),
    ],
  },
  {
    name: 'an image that a tool returned',
    feature: 'image_result',
    noticedBy: 'image-result',
    plants: [
      messages((message) => (message.role === 'tool' ? { ...message, parts: undefined } : message)),
      messages((message) => withData(message, 'AAAA')),
      messages((message) =>
        message.role === 'tool' && message.parts
          ? { ...message, parts: message.parts.filter(({ type }) => type !== 'text'), content: '[image/png]' }
          : message,
      ),
    ],
  },
  {
    name: "calls to the provider's own tools",
    feature: 'provider_calls',
    noticedBy: 'provider-calls',
    plants: [
      decoded(({ providerCalls, ...response }) => response),
      decoded((response) => ({ ...response, ...withoutBlocks(response) })),
      without('provider_call'),
    ],
  },
]

const cases = WIRES.flatMap((test) =>
  LOSSES.filter(({ feature }) => !test.lacks?.includes(feature)).map((loss) => ({ wire: test.wire.name, test, ...loss })),
)

describe('a wire format that loses content', () => {
  it.each(cases)('is found if the content is $name: $wire', ({ test: { wire, ...options }, plants, noticedBy }) => {
    const run = (plant: Plant) => () => checkOf({ ...wire, ...plant(wire) }, options, noticedBy)?.run()
    expect(run(() => ({}))).not.toThrow()
    for (const plant of plants) expect(run(plant)).toThrow(expect.objectContaining({ check: noticedBy }))
  })

  it('is found if it changes the digits of numbers in argument text', () => {
    const texts = WIRES.filter(({ wire: { name } }) => ['openai-chat', 'openai-responses', 'mistral', 'cohere-v2'].includes(name))
    for (const { wire, ...options } of texts)
      for (const plant of spelledAnew((text) => text.replace('2.50', '2.5')))
        expect(() => checkOf({ ...wire, ...plant(wire) }, options, 'arguments-spelling')?.run()).toThrow('unusually formatted')
  })

  it.each(WIRES)('is found if it omits the raw reply: $wire.name', ({ wire, ...options }) => {
    const plants = [decoded(({ raw, ...response }) => response), decoded((response) => ({ ...response, raw: {} }))]
    for (const plant of plants)
      expect(() => checkOf({ ...wire, ...plant(wire) }, options, 'decode-sample')?.run()).toThrow('`raw`')
  })

  it('is found if `decodeError` returns no error', () => {
    const { wire, ...options } = CHAT
    const broken = { ...wire, decodeError: () => undefined }
    expect(() => checkOf(broken, options, 'error-replies')?.run()).toThrow('`decodeError` finds no error')
  })
})

it('requires samples with each feature, or features listed in `lacks`', () => {
  const { wire, samples, ...options } = CHAT
  const changed = (change: (sample: TestWire['samples'][0]) => object) => () =>
    wireContract(wire, { ...options, samples: samples.map((sample) => ({ ...sample, ...change(sample) })) })
  expect(changed(() => ({ reasoning: undefined }))).toThrow(
    'no sample has a reply with `reasoning`. Add one to `samples`, or list the feature `reasoning` in `lacks`',
  )
  expect(changed(() => ({ refusal: undefined }))).toThrow('`refusal`')
  expect(changed(() => ({ rawFinishReason: undefined }))).toThrow('`rawFinishReason`')
  expect(changed(() => ({ providerCalls: [] }))).toThrow('`providerCalls`')
  expect(changed(({ error }) => ({ error: error && { message: error.message } }))).toThrow('an `error` that has a `code`')
  const inOrder = ({ calls }: TestWire['samples'][0]) => ({ calls: calls.map((call) => ({ ...call, json: '{"a":1,"b":2}' })) })
  expect(changed(inOrder)).toThrow('`json` with its keys out of order')
  expect(changed(({ reasoning, events }) => ({ events: reasoning ? undefined : events }))).toThrow(
    'no sample has events with `reasoning`',
  )
})

function checkOf(wire: WireFormat, options: Omit<TestWire, 'wire'>, id: WireCheckId) {
  return wireContract(wire, options).find((check) => check.id === id)
}

function without(type: LMDelta['type']): Plant {
  return streamed((list) => list.filter((delta) => delta.type !== type))
}

function withoutMetadata<Part extends RawToolCall | LMDelta>(part: Part): Part {
  return { ...part, metadata: undefined }
}

function withoutAnyMetadata(message: Message): Message {
  if (message.role !== 'assistant') return message
  return { ...message, metadata: undefined, toolCalls: message.toolCalls?.map(withoutMetadata) }
}

function withoutCode({ message }: { readonly message: string }) {
  return { message }
}

function withoutBlocks({ providerCalls }: LMResponse): Partial<LMResponse> {
  return { providerCalls: providerCalls?.map((call) => ({ ...call, raw: undefined })) }
}

function withSortedKeys(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text)))
  } catch {
    return text
  }
}

/** Changes the argument text in replies, in streams, and in messages that are sent back. */
function spelledAnew(change: (text: string) => string): readonly Plant[] {
  const changed = <Call extends RawToolCall>(call: Call): Call => ({ ...call, arguments: change(call.arguments) })
  return [
    decoded((response) => ({ ...response, toolCalls: response.toolCalls.map(changed) })),
    (wire) => {
      const texts = new Map<number, string>()
      const plant = streamed((list) =>
        list.map((delta) => {
          if (delta.type === 'arguments') texts.set(delta.index, (texts.get(delta.index) ?? '') + delta.text)
          if (delta.type !== 'call_end') return delta
          const text = delta.arguments ?? texts.get(delta.index) ?? ''
          texts.delete(delta.index)
          return { ...delta, arguments: change(text) }
        }),
      )
      return plant(wire)
    },
    messages((message) => (message.role === 'assistant' ? { ...message, toolCalls: message.toolCalls?.map(changed) } : message)),
  ]
}

function withData(message: Message, base64: string): Message {
  if (message.role !== 'tool') return message
  return { ...message, parts: message.parts?.map((part) => (part.type === 'text' ? part : { ...part, source: { base64 } })) }
}
