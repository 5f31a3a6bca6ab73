/** Sample replies from Gemini for the contract tests, and facts about the API for tests and docs. */
import type { TestWire } from '../../../test/testing/wires.ts'
import type { WireSample } from '../../testing/wire-check.ts'
import { gemini } from './wire.ts'

const usageMetadata = { promptTokenCount: 20, cachedContentTokenCount: 8, candidatesTokenCount: 6, thoughtsTokenCount: 4 }
const calls = [
  { functionCall: { id: 'fc-tea', name: 'look_up', args: { query: 'tea' } }, thoughtSignature: 'c2lnbmF0dXJlLW9mLXRlYQ==' },
  { functionCall: { id: 'fc-milk', name: 'look_up', args: { query: 'milk', days: 2 } } },
]
const spelled = { functionCall: { name: 'look_up', args: { query: 'two  words\n', days: 2, after: 0.5 } } }
const thought = { thought: true, text: 'Two things.' }
const code = { executableCode: { id: 'code-1', language: 'PYTHON', code: 'print("provider code")' } }
const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' }

const samples: readonly WireSample[] = [
  {
    name: 'two calls after text and thinking',
    kind: 'cached_tokens',
    usage: { inputTokens: 20, outputTokens: 10, cacheReadTokens: 8, reasoningTokens: 4 },
    reasoning: 'Two things.',
    rawFinishReason: 'STOP',
    kept: ['c2lnbmF0dXJlLW9mLXRlYQ==', 'fc-tea', 'fc-milk'],
    text: 'I look.',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', args: { query: 'milk', days: 2 } },
    ],
    reply: reply([thought, { text: 'I look.' }, ...calls]),
    events: [
      chunk([thought]),
      chunk([{ text: 'I ' }]),
      chunk([{ text: 'look.' }]),
      chunk(calls.slice(0, 1)),
      chunk(calls.slice(1)),
      reply([{ text: '' }]),
    ],
  },
  {
    name: 'code that the provider ran',
    text: 'It is 4.',
    calls: [],
    providerCalls: [{ type: 'executableCode', by: 'provider', id: 'code-1' }],
    kept: ['c2lnbmF0dXJlLW9mLXRleHQ=', 'print("provider code")'],
    reply: reply([code, { text: 'It is 4.', thoughtSignature: 'c2lnbmF0dXJlLW9mLXRleHQ=' }]),
    events: [chunk([code]), reply([{ text: 'It is 4.', thoughtSignature: 'c2lnbmF0dXJlLW9mLXRleHQ=' }])],
  },
  {
    name: 'a call whose args come value by value',
    text: '',
    calls: [{ name: 'look_up', args: { query: 'green tea', days: 2 } }],
    events: [
      chunk([{ functionCall: { name: 'look_up', willContinue: true } }]),
      values({ jsonPath: '$.query', stringValue: 'green ', willContinue: true }),
      values({ jsonPath: '$.query', stringValue: 'tea' }),
      values({ jsonPath: '$.days', numberValue: 2 }),
      chunk([{ functionCall: {} }]),
      reply([]),
    ],
  },
  {
    name: 'a call with unusually formatted arguments',
    text: '',
    calls: [{ name: 'look_up', args: spelled.functionCall.args, json: '{"query":"two  words\\n","days":2,"after":0.5}' }],
    reply: reply([spelled]),
    events: [reply([spelled])],
  },
  {
    name: 'a call that was truncated at the limit',
    kind: 'cut',
    text: '',
    calls: [
      { name: 'look_up', args: { query: 'tea' } },
      { name: 'look_up', truncated: true },
    ],
    reply: reply(calls, 'MAX_TOKENS'),
    events: [chunk(calls), reply([], 'MAX_TOKENS')],
  },
  {
    name: 'a call whose args end in the middle',
    kind: 'cut',
    text: '',
    calls: [{ name: 'look_up', truncated: true }],
    events: [
      chunk([{ functionCall: { name: 'look_up', willContinue: true } }]),
      values({ jsonPath: '$.query', stringValue: 'green ', willContinue: true }),
      reply([], 'MAX_TOKENS'),
    ],
  },
  {
    name: 'an error in place of an event',
    kind: 'error',
    text: '',
    calls: [],
    error: { message: 'The model is overloaded.', code: '503' },
    reply: { error },
    events: [chunk([thought]), { error }],
  },
  {
    name: 'text after a call',
    kind: 'text_behind_calls',
    text: 'I wait.',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    reply: reply([...calls.slice(0, 1), { text: 'I wait.' }]),
    events: [chunk(calls.slice(0, 1)), chunk([{ text: 'I wait.' }]), reply([{ text: '' }])],
  },
  {
    name: 'a call with the finish reason of any reply',
    kind: 'stop_beside_calls',
    text: '',
    calls: [{ name: 'look_up', args: { query: 'tea' } }],
    sent: [
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'fc-tea',
              name: 'look_up',
              response: { output: 'The photo.' },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'Y29udHJhY3QtaW1hZ2U=' } }],
            },
          },
        ],
      },
    ],
    reply: reply(calls.slice(0, 1)),
    events: [reply(calls.slice(0, 1))],
  },
]

export const testWire: TestWire = {
  wire: gemini,
  model: 'gemini-3-pro',
  samples,
  lacks: ['refusal'],
  // Later system messages are moved to the front.
  met: ['/messages/N position dropped'],
  documented: {
    callIds: 'any, mostly none',
    strictTools: 'whole request, since Gemini 2.5',
    goesBack: 'thought signatures of text and calls',
  },
}

function reply(parts: readonly object[], finishReason = 'STOP'): object {
  return { candidates: [{ content: { role: 'model', parts }, finishReason, index: 0 }], usageMetadata, modelVersion: 'x' }
}

function chunk(parts: readonly object[]): object {
  return { candidates: [{ content: { role: 'model', parts }, index: 0 }] }
}

function values(value: object): object {
  return chunk([{ functionCall: { partialArgs: [value], willContinue: true } }])
}
