/** Tests that each check of the contract finds a wire format that violates its rule. */
import { describe, expect, it } from 'vitest'
import type { LMDelta, LMRequest, LMResponse, Message } from '../protocol/protocol.ts'
import { testWire as GEMINI } from '../wire/gemini/samples.ts'
import { gemini } from '../wire/gemini/wire.ts'
import { openaiChat } from '../wire/openai-chat/wire.ts'
import type { StreamDecoder, WireFormat } from '../wire/wire-format.ts'
import { ContractError, type WireCheckId, type WireContractOptions, wireContract } from './index.ts'
import { replaceText } from './json-walk.ts'

const OPTIONS: WireContractOptions = {
  model: 'gemini-3-pro-preview',
  samples: GEMINI.samples,
  lacks: ['refusal'],
  others: [{ wire: openaiChat, model: 'gpt-4.1' }],
}

/** One broken wire format for each check. */
const BROKEN: Readonly<Record<WireCheckId, Partial<WireFormat>>> = {
  'encode-pure': encoding((request) => ({ ...request, messages: (request.messages as Message[]).splice(0) })),
  'encode-stable': bodies((body, _, count) => ({ ...body, count })),
  'encode-json': bodies((body) => ({ ...body, made: new Date(0) })),
  'encode-path': { path: 'models' },
  'encode-prefix': bodies((body, { messages }) => ({
    ...body,
    contents: [{ turns: messages.length }, ...(body.contents as unknown[])],
  })),
  'encode-odd': encoding((request) => (request.messages[0]?.role === 'tool' ? fail() : request)),
  'no-tools': bodies((body, { tools }) => (tools === undefined ? body : { ...body, tools })),
  'tools-sent': encoding((request) => ({ ...request, tools: undefined })),
  'names-legal': {
    toolRules: (model) => ({ ...gemini.toolRules(model), names: { maxLength: 9, pattern: /^x$/, source: 'none' } }),
  },
  'names-in-messages': messages((message) =>
    message.role === 'tool' ? { ...message, name: 'other' } : callsOf(message, { name: 'other' }),
  ),
  'names-restored': { decode: (reply) => gemini.decode(reply), streamDecoder: () => gemini.streamDecoder() },
  'ids-paired': messages((message) => (message.role === 'tool' ? { ...message, callId: 'one' } : message)),
  'ids-unique': responses((response) => ({ ...response, toolCalls: response.toolCalls.map((call) => ({ ...call, id: 'one' })) })),
  'error-results': messages((message) =>
    message.role === 'tool' && message.isError ? { ...message, content: 'Error' } : message,
  ),
  'arguments-broken': messages((message) => {
    if (message.role === 'assistant') for (const call of message.toolCalls ?? []) JSON.parse(call.arguments)
    return message
  }),
  'media-user': messages((message) => (message.role === 'user' ? withoutImages(message) : message)),
  'media-result': messages((message) => (message.role === 'tool' ? withoutImages(message) : message)),
  'media-results': messages((message) =>
    message.role === 'tool' && message.parts ? { ...message, parts: [...message.parts, ...message.parts] } : message,
  ),
  'image-result': messages((message) => (message.role === 'tool' ? withoutImages(message) : message)),
  settings: encoding((request) => ({ ...request, settings: { ...request.settings, seed: undefined } })),
  'tool-options': encoding((request) => ({ ...request, parallelToolCalls: undefined })),
  'tool-choice': encoding((request) => (request.toolChoice === 'none' ? { ...request, toolChoice: 'auto' } : request)),
  'response-format': encoding((request) => ({ ...request, responseFormat: undefined })),
  'provider-options': {
    encode: ({ providerOptions, ...request }, model) => Object.assign(gemini.encode(request, model), providerOptions),
  },
  losses: {
    encode(request, model, options = {}) {
      options.onLoss?.({ path: 'settings', keyword: '', action: 'dropped' })
      return gemini.encode(request, model, options)
    },
  },
  'losses-schema': { encode: (request, model) => gemini.encode(withoutPatterns(request), model) },
  'losses-reasoning': { encode: (request, model) => gemini.encode(request, model) },
  'decode-sample': responses((response) => ({ ...response, text: '' })),
  'decode-garbage': {
    decode: (reply) => ({ ...gemini.decode(reply), text: String((reply as { candidates: unknown }).candidates) }),
  },
  'decode-mutants': responses((response) => ({
    ...response,
    finishReason: response.finishReason ?? 'error',
    usage: { inputTokens: response.text.charCodeAt(0) },
  })),
  'decode-error': { decodeError: (body) => ({ message: (body as { error: { message: string } }).error.message }) },
  finish: responses((response) => ({ ...response, finishReason: 'stop' })),
  'calls-cut': responses((response) => ({
    ...response,
    toolCalls: response.toolCalls.map((call) => ({ ...call, truncated: undefined })),
  })),
  'text-behind-calls': responses((response) => (response.text === 'I wait.' ? { ...response, text: '' } : response)),
  'error-replies': responses((response) => ({ ...response, error: undefined })),
  'stream-errors': deltas((list) => list.filter(({ type }) => type !== 'error')),
  usage: responses(({ usage, ...rest }) => ({ ...rest, usage: { ...usage, inputTokens: 1 } })),
  reasoning: responses(({ reasoning, ...response }) => response),
  'raw-finish': responses(({ rawFinishReason, ...response }) => response),
  'provider-calls': responses(({ providerCalls, ...response }) => response),
  'metadata-kept': responses(({ metadata, ...response }) => response),
  'arguments-spelling': messages((message) => callsOf(message, { arguments: '{}' })),
  metadata: responses((response) => ({ ...response, metadata: { other: {} } })),
  'metadata-hostile': messages((message) => {
    if (message.role === 'assistant' && message.metadata) Object.keys(message.metadata.gemini as object)
    return message
  }),
  'stream-apart': shared(),
  'stream-sample': deltas((list) => list.filter(({ type }) => type !== 'finish')),
  'stream-garbage': deltas((list, event) => (event === null ? fail() : list)),
  'stream-deltas': deltas((list) => list.filter(({ type }) => type !== 'call_end')),
  'stream-cut': deltas((list) => list, [{ type: 'finish', finishReason: 'stop' }]),
  'stream-unknown': deltas((list, event) => ('contract_unknown' in (event as object) ? [{ type: 'text', text: '?' }] : list)),
  'stream-repeated': seenOnce(),
  'stream-whole': deltas((list) => list.filter(({ type }) => type !== 'usage')),
  'round-trip': messages((message) => (message.role === 'assistant' ? { ...message, toolCalls: [] } : message)),
  'round-trip-saved': bodies((body, request) => ({
    ...body,
    isKnown: request.messages.some((message) => 'reasoning' in message),
  })),
  'round-trip-foreign': bodies((body, request) => ({ ...body, all: request.messages })),
  'round-trip-others': {},
}

/** Additional ways to violate a rule. */
const ALSO: readonly (readonly [WireCheckId, Partial<WireFormat>])[] = [
  ['encode-pure', bodies((body, _, count) => ({ ...body, isFirst: count === 0 }))],
  ['encode-path', { path: (_, stream) => (stream ? '/models x' : '/models') }],
  ['encode-path', { authHeaders: () => ({}) }],
  ['encode-json', messages((message) => ({ ...message, content: message.content.replace('contract-answer-words', '') }))],
  ['names-legal', bodies((body) => replaceText(body, 'contract-look-up', 'contract_look_up') as object)],
  ['provider-options', { encode: ({ providerOptions, ...request }, model) => gemini.encode(request, model) }],
  [
    'stream-garbage',
    deltas((list) => list.flatMap((delta): LMDelta[] => (delta.type === 'call_start' ? [delta, delta] : [delta]))),
  ],
  ['stream-cut', deltas((list) => list.map((delta) => (delta.type === 'call_end' ? { ...delta, truncated: undefined } : delta)))],
  [
    'stream-cut',
    deltas((list) => list.map((delta) => (delta.type === 'finish' ? { type: 'finish', finishReason: 'stop' } : delta))),
  ],
  ['stream-sample', deltas((list) => list.filter(({ type }) => type !== 'arguments'))],
  ['decode-garbage', responses((response) => ({ ...response, rawFinishReason: 1 as unknown as string }))],
  ['decode-garbage', responses((response) => ({ ...response, finishReason: 'done' as 'stop' }))],
  ['stream-whole', deltas((list) => list.filter(({ type }) => type !== 'metadata'))],
  ['decode-sample', { decode: (reply) => gemini.decode(Object.assign(reply as object, { isRead: true })) }],
  [
    'ids-paired',
    messages((message) => (message.role === 'tool' ? { ...message, callId: message.callId.replace(/\W/g, '_') } : message)),
  ],
  ['ids-paired', messages(withShortIds)],
  ['metadata', responses((response) => ({ ...response, metadata: { gemini: { at: new Date(0) } } }))],
  ['usage', responses((response) => ({ ...response, usage: { tokens: 1 } as object }))],
  ['usage', responses(({ usage, ...rest }) => ({ ...rest, usage: { ...usage, cacheReadTokens: undefined } }))],
  [
    'error-results',
    messages((message) => (message.role === 'tool' && message.isError ? { ...message, isError: undefined } : message)),
  ],
  ['round-trip', messages((message) => (message.role === 'assistant' ? { ...message, content: '', metadata: {} } : message))],
  [
    'response-format',
    encoding((request) => ({ ...request, ...(request.responseFormat && { responseFormat: { type: 'json' } }) })),
  ],
]

describe('wireContract', () => {
  for (const [number, [id, part]] of ALSO.entries()) {
    it(`finds another violation of "${id}" (${number})`, () => expect(failureOf(id, part)).toMatchObject({ check: id }))
  }

  for (const [id, part] of Object.entries(BROKEN)) {
    it(`finds a violation of "${id}"`, () => {
      const others = id === 'round-trip-others' ? [{ wire: { ...openaiChat, ...LEAKY }, model: 'm' }] : OPTIONS.others
      expect(failureOf(id, part, others)).toMatchObject({ name: 'ContractError', check: id })
    })
  }

  it('reports what was expected and what was found', () => {
    const error = failureOf('decode-sample', BROKEN['decode-sample'])
    expect(error).toBeInstanceOf(ContractError)
    expect(error).toMatchObject({ expected: 'I look.', found: '', message: expect.stringContaining('two calls after text') })
  })

  it('keeps the error that a wire format threw', () => {
    expect(failureOf('decode-sample', { decode: fail })).toMatchObject({ check: 'decode-sample', cause: new TypeError('broken') })
  })

  it('has one check for each id', () => {
    const ids = wireContract(gemini, OPTIONS).map(({ id }) => id)
    expect([...ids].sort()).toEqual(Object.keys(BROKEN).sort())
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('skips streams for a wire format without a stream decoder', () => {
    const { streamDecoder, ...whole } = gemini
    const ids = wireContract(whole, OPTIONS).map(({ id }) => id)
    expect(ids.filter((id) => id.startsWith('stream'))).toEqual([])
    expect(() => {
      for (const { run } of wireContract(whole, OPTIONS)) run()
    }).not.toThrow()
  })

  it('refuses insufficient samples', () => {
    const [calls, text, partial] = GEMINI.samples as [
      (typeof GEMINI.samples)[0],
      (typeof GEMINI.samples)[0],
      (typeof GEMINI.samples)[0],
    ]
    const given =
      (...samples: WireContractOptions['samples']) =>
      () =>
        wireContract(gemini, { model: 'm', samples })
    expect(given()).toThrow('no sample has a reply with calls')
    expect(given(text)).toThrow('no sample has a reply with calls')
    expect(given({ ...calls, events: undefined })).toThrow('no sample has events with calls')
    expect(given(calls, { ...partial, events: undefined })).toThrow('has neither a reply nor events')
    const others = GEMINI.samples.filter(({ kind }) => kind !== 'cut')
    expect(given(...others)).toThrow('no sample has a reply with kind `cut`. Add one to `samples`, or list the kind in `lacks`')
    const unstreamed = GEMINI.samples.map((sample) => (sample.kind === 'error' ? { ...sample, events: undefined } : sample))
    expect(given(...unstreamed)).toThrow('no sample has events with kind `error`')
    expect(given(...others, { ...calls, kind: 'cut' })).toThrow('is of kind `cut`, but has no call that is `truncated`')
    expect(given(calls, { ...calls, calls: [{ name: 'look_up' }] })).toThrow('has a call to look_up that has no `args`')
  })
})

/** Sends all metadata in the body. */
const LEAKY: Partial<WireFormat> = {
  encode: (request, model) => ({
    ...openaiChat.encode(request, model),
    metadata: request.messages.map((message) => 'metadata' in message && message.metadata),
  }),
}

function encoding(change: (request: LMRequest) => LMRequest): Partial<WireFormat> {
  return { encode: (request, model, options) => gemini.encode(change(request), model, options) }
}

function messages(change: (message: Message) => Message): Partial<WireFormat> {
  return encoding((request) => ({ ...request, messages: request.messages.map(change) }))
}

function bodies(change: (body: Record<string, unknown>, request: LMRequest, count: number) => object): Partial<WireFormat> {
  let count = 0
  return { encode: (request, model, options) => change(gemini.encode(request, model, options), request, count++) }
}

function responses(change: (response: LMResponse) => LMResponse): Partial<WireFormat> {
  return { decode: (reply, request, model) => change(gemini.decode(reply, request, model)) }
}

function deltas(
  change: (list: readonly LMDelta[], event: unknown) => readonly LMDelta[],
  last: LMDelta[] = [],
): Partial<WireFormat> {
  return {
    streamDecoder(request, model): StreamDecoder {
      const decoder = gemini.streamDecoder(request, model)
      return { push: (event) => change(decoder.push(event), event), end: () => [...change(decoder.end(), {}), ...last] }
    },
  }
}

/** Uses one decoder for all streams. */
function shared(): Partial<WireFormat> {
  const decoder = gemini.streamDecoder()
  return { streamDecoder: () => decoder }
}

/** Throws for an event that was already decoded. */
function seenOnce(): Partial<WireFormat> {
  return {
    streamDecoder(request, model): StreamDecoder {
      const decoder = gemini.streamDecoder(request, model)
      const seen = new Set<unknown>()
      return { push: (event) => (seen.size === seen.add(event).size ? fail() : decoder.push(event)), end: () => decoder.end() }
    },
  }
}

function withoutPatterns(request: LMRequest): LMRequest {
  return { ...request, tools: request.tools?.map((tool) => replaceText(tool, '^contract-pattern$', '') as typeof tool) }
}

function withShortIds(message: Message): Message {
  const cut = (id: string) => id.slice(0, 40)
  if (message.role === 'tool') return { ...message, callId: cut(message.callId) }
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message
  return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, id: cut(call.id) })) }
}

function callsOf(message: Message, changed: { name: string } | { arguments: string }): Message {
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message
  return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, ...changed })) }
}

function withoutImages<One extends Message>(message: One): One {
  const content = message.content.replace('image/png', 'something')
  return { ...message, content, parts: undefined }
}

function fail(): never {
  throw new TypeError('broken')
}

function failureOf(id: string, part: Partial<WireFormat>, others = OPTIONS.others): unknown {
  const check = wireContract({ ...gemini, ...part }, { ...OPTIONS, others }).find((one) => one.id === id)
  expect(check).toBeDefined()
  try {
    check?.run()
  } catch (error) {
    return error
  }
  return undefined
}
