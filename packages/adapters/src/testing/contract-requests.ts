/** The requests that the contract encodes. Each string in them is unique, so that it can be found in a body. */
import type { ContentPart, ImagePart, TextPart, ToolSpec } from '@x/tool-core'
import { toContent } from '../protocol/content.ts'
import type { AssistantMessage, LMRequest, LMResponse, Message, ToolMessage } from '../protocol/protocol.ts'
import { deepFreeze } from './json-walk.ts'

export const WORDS = {
  system: 'contract-system-words',
  question: 'contract-question-words',
  answer: 'contract-answer-words',
  argument: ['contract-argument-a', 'contract-argument-b'],
  result: ['contract-result-a', 'contract-result-b'],
  /** Base64 data. */
  image: 'Y29udHJhY3QtaW1hZ2U=',
} as const

export const CALL_IDS = ['contract_call_a', 'contract_call_b'] as const

/**
 * Ids from other providers. Some are too long, contain characters that an API rejects, or become equal to another id when they
 * are shortened or such characters are replaced.
 */
export const FOREIGN_IDS: readonly (readonly [string, string])[] = [
  ['contract:call/a', 'contract_call_a'],
  ['contract call.ä', 'contract call.ö'],
  [`call_${'x'.repeat(120)}a`, `call_${'x'.repeat(120)}b`],
  ['1', '2'],
]

export const TOOL: ToolSpec = deepFreeze(toolNamed('contract_look_up', 0))

/**
 * Tools with names that are too long for an API, contain invalid characters, or become equal to another name when they are
 * shortened or such characters are replaced.
 */
export const FOREIGN_TOOLS: readonly ToolSpec[] = deepFreeze(
  [
    'contract.look.up',
    'contract_look_up',
    'contract-look-up',
    `contract_${'x'.repeat(90)}a`,
    `contract_${'x'.repeat(90)}b`,
    'contract/files:read',
  ].map(toolNamed),
)

export function describe(number: number): string {
  return `Contract tool number ${number}.`
}

function toolNamed(name: string, number: number): ToolSpec {
  const query = { type: 'string', description: 'What to look for.' }
  const parameters = { type: 'object', properties: { query }, required: ['query'] }
  return { type: 'function', function: { name, description: describe(number), parameters } }
}

/** Returns a growing conversation. Each entry contains the messages of one turn. */
export function turns(name = 'contract_look_up', [a, b]: readonly [string, string] = CALL_IDS): readonly (readonly Message[])[] {
  const toolCalls = [
    { id: a, name, arguments: JSON.stringify({ query: WORDS.argument[0] }) },
    { id: b, name, arguments: JSON.stringify({ query: WORDS.argument[1] }) },
  ]
  return deepFreeze([
    [
      { role: 'system', content: WORDS.system },
      { role: 'user', content: WORDS.question },
    ],
    [
      { role: 'assistant', content: 'I look.', toolCalls },
      { role: 'tool', callId: a, name, content: WORDS.result[0] },
      { role: 'tool', callId: b, name, content: WORDS.result[1], isError: true },
    ],
    [{ role: 'assistant', content: WORDS.answer }],
    [{ role: 'user', content: 'And now?' }],
  ] satisfies Message[][])
}

/** Returns a new, deeply frozen request each time, so that two requests never share messages. */
export function conversation(extra: Partial<LMRequest> = {}, name?: string): LMRequest {
  return deepFreeze({ messages: turns(name).flat(), ...extra })
}

export function question(extra: Partial<LMRequest> = {}): LMRequest {
  return deepFreeze({ messages: [{ role: 'user', content: WORDS.question }], ...extra })
}

/** The result with an image that the contract uses. */
export const IMAGE_RESULT: readonly [TextPart, ImagePart] = deepFreeze([
  { type: 'text', text: 'The photo.' },
  { type: 'image', mediaType: 'image/png', source: { base64: WORDS.image } },
])

/**
 * Returns the request that continues the conversation after a response, with a result for each call. `parts` is the content of each
 * result. If `saved` is true, the request is serialized and parsed again.
 */
export function continued(response: LMResponse, saved = false, parts?: readonly ContentPart[]): LMRequest {
  const { text, toolCalls, reasoning, metadata } = response
  const message: AssistantMessage = { role: 'assistant', content: text, reasoning, toolCalls, metadata }
  const results = toolCalls.map(({ id, name }): ToolMessage => {
    const content = parts === undefined ? { content: `result of ${id}` } : toContent(parts)
    return { role: 'tool', callId: id, name, ...content }
  })
  const request: LMRequest = { messages: [{ role: 'user', content: WORDS.question }, message, ...results] }
  return deepFreeze(saved ? (JSON.parse(JSON.stringify(request)) as LMRequest) : request)
}
