/** The table of docs/wires.md says what the code does. */
import { readFileSync } from 'node:fs'
import { defineTool, toSpec } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type ContentPart, type LMRequest, type Message, type ToolMessage, toContent } from '../index.ts'
import type { Loss } from '../shaping/loss.ts'
import { anthropicMessages } from './anthropic-messages/wire.ts'
import { bedrockConverse } from './bedrock-converse/wire.ts'
import { cohereV2 } from './cohere-v2/wire.ts'
import { gemini } from './gemini/wire.ts'
import { mistral } from './mistral/wire.ts'
import { ollama } from './ollama/wire.ts'
import { openaiChat } from './openai-chat/wire.ts'
import { openaiResponses } from './openai-responses/wire.ts'
import type { WireFormat } from './wire-format.ts'

/** The models of which the table tells, where one wire takes more of some than of others. */
const WIRES: readonly (readonly [WireFormat, string])[] = [
  [openaiChat, 'gpt-5.4'],
  [openaiResponses, 'gpt-5.4'],
  [anthropicMessages, 'claude-sonnet-4-6'],
  [gemini, 'gemini-3-pro'],
  [mistral, 'mistral-large-latest'],
  [cohereV2, 'command-a-03-2025'],
  [bedrockConverse, 'anthropic.claude-sonnet-4-6'],
  [ollama, 'llama3.2'],
]

const [search, fetch] = ['search', 'fetch'].map((name) =>
  toSpec(defineTool({ name, description: 'A tool.', args: Type.Object({ q: Type.String() }), execute: () => [] })),
) as [NonNullable<LMRequest['tools']>[number], NonNullable<LMRequest['tools']>[number]]
const tools = [search, fetch]
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
const user: Message = { role: 'user', content: 'Hello' }
const base64 = { base64: 'AAAA' }
const url = { url: 'https://a.example/b' }
const image = (source: typeof base64 | typeof url): ContentPart => ({ type: 'image', mediaType: 'image/png', source })
const file = (mediaType: string, source: typeof base64 | typeof url): ContentPart => ({ type: 'file', mediaType, source })
const said = (part: ContentPart) => ({ messages: [{ role: 'user' as const, ...toContent([part]) }] })
const result = (rest: Pick<ToolMessage, 'content' | 'parts' | 'isError'>, text = '{}'): Partial<LMRequest> => ({
  tools,
  messages: [
    user,
    { role: 'assistant', content: '', toolCalls: [{ id: 'EscTeQY62', name: 'search', arguments: text }] },
    { role: 'tool', callId: 'EscTeQY62', name: 'search', ...rest },
  ],
})
const called = (text: string) => result({ content: 'Done.' }, text)

/** The rows of the table that are a request, and what of it must not be lost. */
const ROWS: Readonly<Record<string, readonly [request: Partial<LMRequest>, path: string]>> = {
  temperature: [{ settings: { temperature: 0.5 } }, '/settings'],
  topP: [{ settings: { topP: 0.5 } }, '/settings'],
  topK: [{ settings: { topK: 5 } }, '/settings'],
  maxOutputTokens: [{ settings: { maxOutputTokens: 5 } }, '/settings'],
  stop: [{ settings: { stop: ['x'] } }, '/settings'],
  seed: [{ settings: { seed: 5 } }, '/settings'],
  presencePenalty: [{ settings: { presencePenalty: 0.5 } }, '/settings'],
  frequencyPenalty: [{ settings: { frequencyPenalty: 0.5 } }, '/settings'],
  'choice `none`': [{ tools, toolChoice: 'none' }, '/toolChoice'],
  'choice `required`': [{ tools, toolChoice: 'required' }, '/toolChoice'],
  'choice of one tool': [{ tools, toolChoice: { name: 'fetch' } }, '/toolChoice'],
  'one call at a time': [{ tools, parallelToolCalls: false }, '/parallelToolCalls'],
  'any JSON': [{ responseFormat: { type: 'json' } }, '/responseFormat'],
  'JSON of a schema': [{ responseFormat: { type: 'json', schema } }, '/responseFormat'],
  'JSON beside tools': [{ tools, responseFormat: { type: 'json', schema } }, '/responseFormat'],
  'image, base64': [said(image(base64)), '/messages'],
  'image, address': [said(image(url)), '/messages'],
  'PDF, base64': [said(file('application/pdf', base64)), '/messages'],
  'PDF, address': [said(file('application/pdf', url)), '/messages'],
  'sound, base64': [said(file('audio/wav', base64)), '/messages'],
  'image in a result': [result(toContent([image(base64)])), '/messages'],
  'flag of an error': [result({ content: 'No.', isError: true }), '/messages'],
  'reasoning of another provider': [
    { messages: [user, { role: 'assistant', content: 'Hi', reasoning: 'Hm.' }, user] },
    '/messages',
  ],
  'empty message': [{ messages: [user, { role: 'assistant', content: '' }, user] }, '/messages'],
  'integer beyond 2^53 in a call': [called('{"q": 9007199254740993}'), '/messages'],
}

/** A schema that is sent and not enforced is sent. */
function isLost(wire: (typeof WIRES)[number], request: Partial<LMRequest>, path: string): boolean {
  return encode(wire, request).losses.some((loss) => loss.path.startsWith(path) && loss.keyword !== 'strict')
}

function encode([wire, model]: (typeof WIRES)[number], request: Partial<LMRequest>) {
  const losses: Loss[] = []
  const body = wire.encode({ messages: [user], ...request }, model, { onLoss: (loss) => losses.push(loss) })
  return { body: JSON.stringify(body), losses }
}

const document = readFileSync(new URL('../../../../docs/wires.md', import.meta.url), 'utf8')

/** Cells by feature, in the order of the wires. */
function readTable(): ReadonlyMap<string, readonly string[]> {
  const rows = document.split('\n').filter((line) => line.startsWith('|'))
  return new Map(
    rows.map((row) => {
      const [feature = '', ...cells] = row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim())
      return [feature, cells]
    }),
  )
}

const table = readTable()

describe('docs/wires.md', () => {
  it('has a column for each wire', () => {
    expect(table.get('')).toEqual(WIRES.map(([{ name }]) => name))
  })

  it.each(Object.entries(ROWS))('says who takes %s', (feature, [request, path]) => {
    const cells = WIRES.map((wire) => (isLost(wire, request, path) ? 'no' : 'yes'))
    expect(table.get(feature)).toEqual(cells)
  })

  it('says how many tokens a reply of Anthropic may have unless told', () => {
    const { max_tokens } = anthropicMessages.encode({ messages: [user] }, 'claude-sonnet-4-6')
    expect(document).toContain(`${max_tokens.toLocaleString('en')} tokens unless \`maxOutputTokens\``)
  })

  it('says who has a flag for a result that is an error', () => {
    const bodies = [true, false].map((isError) => WIRES.map((wire) => encode(wire, result({ content: 'No.', isError })).body))
    const cells = WIRES.map((_, index) => (bodies[0]?.[index] === bodies[1]?.[index] ? 'no' : 'yes'))
    expect(table.get('flag of an error')).toEqual(cells)
  })
})
