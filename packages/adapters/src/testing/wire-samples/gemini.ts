/** Small replies of Gemini for the contract. */
import type { WireSample } from '../wire-check.ts'

const usageMetadata = { promptTokenCount: 20, cachedContentTokenCount: 8, candidatesTokenCount: 6, thoughtsTokenCount: 4 }
const calls = [
  { functionCall: { id: 'fc-tea', name: 'look_up', args: { query: 'tea' } }, thoughtSignature: 'c2lnbmF0dXJlLW9mLXRlYQ==' },
  { functionCall: { id: 'fc-milk', name: 'look_up', args: { query: 'milk', days: 2 } } },
]
const thought = { thought: true, text: 'Two things.' }
const code = { executableCode: { id: 'code-1', language: 'PYTHON', code: 'print("provider code")' } }

export const GEMINI_SAMPLES: readonly WireSample[] = [
  {
    name: 'two calls behind a text and a thought',
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
    providerCalls: ['executableCode'],
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
]

function reply(parts: readonly object[]): object {
  return { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }], usageMetadata, modelVersion: 'x' }
}

function chunk(parts: readonly object[]): object {
  return { candidates: [{ content: { role: 'model', parts }, index: 0 }] }
}

function values(value: object): object {
  return chunk([{ functionCall: { partialArgs: [value], willContinue: true } }])
}
