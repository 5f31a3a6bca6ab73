/** Tests that each fault planted in a correct wire format is found, and that the failing check describes the fault. */
import { describe, expect, it } from 'vitest'
import { decoded, decoderOf, encoded, messages, streamed } from '../../test/testing/plants.ts'
import { type Naming, renamed, renamedSamples } from '../../test/testing/renamed-wire.ts'
import type { TestWire } from '../../test/testing/wires.ts'
import type { LMDelta, LMRequest, Message, ToolMessage } from '../protocol/protocol.ts'
import { testWire as ANTHROPIC } from '../wire/anthropic-messages/samples.ts'
import { testWire as BEDROCK } from '../wire/bedrock-converse/samples.ts'
import { testWire as COHERE } from '../wire/cohere-v2/samples.ts'
import { testWire as GEMINI } from '../wire/gemini/samples.ts'
import { testWire as MISTRAL } from '../wire/mistral/samples.ts'
import { testWire as OLLAMA } from '../wire/ollama/samples.ts'
import { testWire as CHAT } from '../wire/openai-chat/samples.ts'
import { openaiChat } from '../wire/openai-chat/wire.ts'
import { testWire as RESPONSES } from '../wire/openai-responses/samples.ts'
import type { StreamDecoder, WireFormat } from '../wire/wire-format.ts'
import type { WireCheckId } from './wire-check.ts'
import { wireContract } from './wire-contract.ts'

const REPORTING = [CHAT, RESPONSES, ANTHROPIC, GEMINI, MISTRAL, COHERE, BEDROCK]
const titled = (naming: Naming): TestWire => ({
  ...CHAT,
  ...{ wire: renamed(openaiChat, naming), samples: renamedSamples(CHAT.samples) },
})

interface Fault {
  readonly name: string
  readonly in: TestWire
  readonly plant: (wire: WireFormat) => Partial<WireFormat>
  readonly noticedBy: WireCheckId
}

const FAULTS: readonly Fault[] = [
  {
    name: 'a call that was cut off counts as whole',
    in: ANTHROPIC,
    plant: decoded((response) => ({ ...response, toolCalls: response.toolCalls.map(({ truncated, ...call }) => call) })),
    noticedBy: 'calls-cut',
  },
  {
    name: 'a streamed call that was cut off counts as whole',
    in: OLLAMA,
    plant: streamed((list) => list.map((delta) => (delta.type === 'call_end' ? { ...delta, truncated: undefined } : delta))),
    noticedBy: 'calls-cut',
  },
  {
    name: 'a system message is sent as a message of the user',
    in: GEMINI,
    plant: messages((message) => (message.role === 'system' ? { role: 'user', content: message.content } : message)),
    noticedBy: 'encode-json',
  },
  {
    name: 'the model is not sent',
    in: MISTRAL,
    plant: (wire) => ({ encode: (request, _, options) => wire.encode(request, '', options) }),
    noticedBy: 'encode-path',
  },
  {
    name: 'a stream finishes twice',
    in: BEDROCK,
    plant: streamed((list) => list.flatMap((delta): LMDelta[] => (isFinish(delta) ? [delta, delta] : [delta]))),
    noticedBy: 'stream-deltas',
  },
  {
    name: 'a failed call is sent as any result',
    in: BEDROCK,
    plant: messages((message) => (message.role === 'tool' ? { ...message, isError: undefined } : message)),
    noticedBy: 'error-results',
  },
  {
    name: 'an error in the reply is ignored',
    in: MISTRAL,
    plant: decoded(({ error, ...response }) => response),
    noticedBy: 'error-replies',
  },
  {
    name: 'an error event is ignored',
    in: RESPONSES,
    plant: streamed((list) => list.filter(({ type }) => type !== 'error')),
    noticedBy: 'stream-errors',
  },
  {
    name: 'a stream goes on to a success behind its error',
    in: GEMINI,
    plant: streamed((list) => list.map((delta) => (isFinish(delta) ? { ...delta, finishReason: 'stop' } : delta))),
    noticedBy: 'stream-errors',
  },
  {
    name: 'text behind a call is dropped',
    in: COHERE,
    plant: decoded((response) => (response.toolCalls.length > 0 ? { ...response, text: '' } : response)),
    noticedBy: 'text-behind-calls',
  },
  {
    name: 'text behind a streamed call is dropped',
    in: CHAT,
    plant: (wire) => ({ streamDecoder: (request, model) => withoutTextBehindCalls(decoderOf(wire, request, model)) }),
    noticedBy: 'text-behind-calls',
  },
  {
    name: "`toolChoice: 'none'` is sent as any other",
    in: ANTHROPIC,
    plant: encoded((request) => ({ ...request, toolChoice: request.toolChoice === 'none' ? 'auto' : request.toolChoice })),
    noticedBy: 'tool-choice',
  },
  {
    name: 'the word `stop` beside calls is taken at its word',
    in: CHAT,
    plant: decoded((response) => (response.rawFinishReason === 'stop' ? { ...response, finishReason: 'stop' } : response)),
    noticedBy: 'finish',
  },
  {
    name: 'cached tokens are taken for tokens that were written to the cache',
    in: BEDROCK,
    plant: decoded(({ usage, ...response }) => ({
      ...response,
      ...(usage && { usage: { ...usage, cacheReadTokens: usage.cacheWriteTokens, cacheWriteTokens: usage.cacheReadTokens } }),
    })),
    noticedBy: 'usage',
  },
  {
    name: 'a keyword of a schema is left out in silence',
    in: ANTHROPIC,
    plant: (wire) => ({
      encode: (request, model, options) =>
        wire.encode(request, model, { ...options, onLoss: (loss) => loss.keyword !== 'maxItems' && options?.onLoss?.(loss) }),
    }),
    noticedBy: 'losses-schema',
  },
  {
    name: 'reasoning is left out in silence',
    in: ANTHROPIC,
    plant: encoded((request) => ({ ...request, messages: request.messages.map(withoutReasoning) })),
    noticedBy: 'losses-reasoning',
  },
  {
    name: 'a tool whose name stands under another key is sent without it',
    in: titled('title'),
    plant: (wire) => ({
      encode: (request, model, options) => ({ ...(wire.encode(request, model, options) as object), tools: [] }),
    }),
    noticedBy: 'tools-sent',
  },
  {
    name: 'two tools whose names stand under another key are sent under one',
    in: titled('title'),
    plant: encoded((request) => ({ ...request, tools: request.tools?.map(withShortName) })),
    noticedBy: 'names-legal',
  },
  {
    name: 'calls of old messages have another name than the key of their tool',
    in: titled('key'),
    plant: messages((message) => (message.role === 'tool' ? message : withCallsOf(message, 'other'))),
    noticedBy: 'names-in-messages',
  },
  {
    name: 'an image of a result is sent between the results of its turn',
    in: CHAT,
    plant: (wire) => ({ encode: (request, model, options) => withEarlyMedia(wire.encode(request, model, options) as ChatBody) }),
    noticedBy: 'media-results',
  },
  {
    name: 'an image of a result is sent twice',
    in: RESPONSES,
    plant: messages((message) =>
      message.role === 'tool' && message.parts ? { ...message, parts: message.parts.flatMap((part) => [part, part]) } : message,
    ),
    noticedBy: 'media-results',
  },
  {
    name: 'images of results are sent with the question',
    in: COHERE,
    plant: encoded((request) => ({ ...request, messages: withMediaInQuestion(request.messages) })),
    noticedBy: 'media-results',
  },
  {
    name: 'an image of a result is left out silently',
    in: BEDROCK,
    plant: messages((message) => (message.role === 'tool' ? { ...message, parts: undefined } : message)),
    noticedBy: 'media-result',
  },
  {
    name: 'an image of a result has another media type',
    in: GEMINI,
    plant: messages((message) => (message.role === 'tool' ? withMediaType(message, 'image/webp') : message)),
    noticedBy: 'image-result',
  },
  {
    name: 'an image of a result is sent as its base64 text',
    in: ANTHROPIC,
    plant: messages((message) =>
      message.role === 'tool' && message.parts
        ? { ...message, content: JSON.stringify(message.parts), parts: undefined }
        : message,
    ),
    noticedBy: 'image-result',
  },
  {
    name: 'the text next to an image of a result is left out',
    in: OLLAMA,
    plant: messages((message) =>
      message.role === 'tool' && message.parts
        ? { ...message, parts: message.parts.filter(({ type }) => type !== 'text') }
        : message,
    ),
    noticedBy: 'image-result',
  },
  {
    name: 'a user message with an image follows a result directly',
    in: MISTRAL,
    plant: (wire) => ({
      encode: (request, model, options) => {
        const body = wire.encode(request, model, options) as ChatBody
        return { ...body, messages: body.messages.filter(({ content }) => content !== 'OK') }
      },
    }),
    noticedBy: 'image-result',
  },
]

describe('a planted fault', () => {
  it.each(FAULTS)('is found: $name', ({ in: { wire, ...options }, plant, noticedBy }) => {
    const broken = wireContract({ ...wire, ...plant(wire) }, options)
    const sound = wireContract(wire, options)
    expect(() => sound.find(({ id }) => id === noticedBy)?.run()).not.toThrow()
    expect(() => broken.find(({ id }) => id === noticedBy)?.run()).toThrow(expect.objectContaining({ check: noticedBy }))
  })

  it.each(REPORTING)('is found in the cached tokens of $wire.name, complete and streamed', ({ wire, ...options }) => {
    const wrong = { cacheReadTokens: 0 }
    const plants = [
      decoded(({ usage, ...response }) => ({ ...response, ...(usage && { usage: { ...usage, ...wrong } }) })),
      streamed((list) =>
        list.map((delta) => (delta.type === 'usage' ? { ...delta, usage: { ...delta.usage, ...wrong } } : delta)),
      ),
    ]
    for (const plant of plants) {
      const check = wireContract({ ...wire, ...plant(wire) }, options).find(({ id }) => id === 'usage')
      expect(() => check?.run()).toThrow(expect.objectContaining({ check: 'usage' }))
    }
  })
})

describe('a wire format that writes tool names in other places', () => {
  for (const naming of ['title', 'key'] as const) {
    const { wire, ...options } = titled(naming)
    describe(naming === 'title' ? 'under another key' : 'as keys', () => {
      for (const { name, run } of wireContract(wire, options)) it(name, run)
    })
  }
})

function withoutTextBehindCalls(decoder: StreamDecoder): StreamDecoder {
  let hasCalls = false
  const filter = (list: readonly LMDelta[]) =>
    list.filter(({ type }) => {
      hasCalls ||= type === 'call_start'
      return !hasCalls || type !== 'text'
    })
  return { push: (event) => filter(decoder.push(event)), end: (isDone) => filter(decoder.end(isDone)) }
}

function isFinish(delta: LMDelta): delta is Extract<LMDelta, { type: 'finish' }> {
  return delta.type === 'finish'
}

function withoutReasoning(message: Message): Message {
  return message.role === 'assistant' ? { ...message, reasoning: undefined } : message
}

function withShortName<Tool extends NonNullable<LMRequest['tools']>[number]>(tool: Tool): Tool {
  return { ...tool, function: { ...tool.function, name: tool.function.name.replaceAll(/\W/g, '_') } }
}

function withCallsOf(message: Message, name: string): Message {
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message
  return { ...message, toolCalls: message.toolCalls.map((call) => ({ ...call, name })) }
}

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** Moves the message with images of results directly after the first result. */
function withEarlyMedia(body: ChatBody): ChatBody {
  const { messages: list } = body
  const last = list.findLastIndex(({ role }) => role === 'tool')
  const first = list.findIndex(({ role }) => role === 'tool')
  const media = list[last + 1]
  if (first === last || !Array.isArray(media?.content)) return body
  return { ...body, messages: [...list.slice(0, first + 1), media, ...list.slice(first + 1, last + 1), ...list.slice(last + 2)] }
}

function withMediaInQuestion(list: readonly Message[]): readonly Message[] {
  const media = list
    .flatMap((message) => (message.role === 'tool' ? (message.parts ?? []) : []))
    .filter(({ type }) => type !== 'text')
  const question = list.findIndex(({ role }) => role === 'user')
  return list.map((message, index) => {
    if (message.role === 'tool') return { ...message, parts: undefined }
    if (index !== question || message.role !== 'user' || media.length === 0) return message
    return { ...message, parts: [{ type: 'text', text: message.content }, ...media] }
  })
}

function withMediaType(message: ToolMessage, mediaType: string): ToolMessage {
  return { ...message, parts: message.parts?.map((part) => (part.type === 'text' ? part : { ...part, mediaType })) }
}
