/**
 * Sends an image input, and an image that a tool returned, in every wire format. The expected messages are checked with the official
 * clients' request types.
 */
import type Anthropic from '@anthropic-ai/sdk'
import type { Content } from '@google/genai'
import { defineSignature, Image, type LMRequest, type Loss } from '@x/adapters'
import * as wires from '@x/adapters/wire'
import { scriptedLM } from '@x/lm/testing'
import { createReactAgent } from '@x/react-agent'
import { defineTool, image, text } from '@x/tool-core'
import type OpenAI from 'openai'
import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'

const given = image({ mediaType: 'image/png', data: new TextEncoder().encode('given') })
const taken = image({ mediaType: 'image/png', data: new TextEncoder().encode('taken') })
const [GIVEN, TAKEN] = [given, taken].map(({ source }) => ('base64' in source ? source.base64 : '')) as [string, string]
const url = (base64: string) => `data:image/png;base64,${base64}`
const QUESTION = '[[ ## question ## ]]\nIs it the same?\n\n[[ ## photo ## ]]'

/** Returns the last request of a run: the task with an image, two calls, and two results, one with an image and one with text. */
async function requestOf(): Promise<LMRequest> {
  const tool = defineTool({
    name: 'look',
    description: 'Looks.',
    args: Type.Object({ at: Type.String() }),
    execute: ({ at }) => at,
    toModelOutput: (at) => (at === 'door' ? [text('The door.'), taken] : 'Nothing.'),
  })
  const signature = defineSignature({
    instructions: 'Compare.',
    inputs: { question: Type.String(), photo: Image() },
    outputs: { answer: Type.String() },
  })
  const toolCalls = ['door', 'wall'].map((at) => ({ id: `call_${at}`, name: 'look', arguments: JSON.stringify({ at }) }))
  const lm = scriptedLM([{ toolCalls }, { text: 'Yes.' }])
  await (await createReactAgent({ lm, tools: [tool], signature })).run({ question: 'Is it the same?', photo: given })
  return lm.requests[1] as LMRequest
}

const request = await requestOf()

const WIRES: readonly (readonly [wire: wires.WireFormat, model: string])[] = [
  [wires.openaiChat, 'gpt-5.4'],
  [wires.openaiResponses, 'gpt-5.4'],
  [wires.anthropicMessages, 'claude-sonnet-4-6'],
  [wires.gemini, 'gemini-3-pro'],
  [wires.mistral, 'mistral-large-latest'],
  [wires.cohereV2, 'command-a-plus-05-2026'],
  [wires.bedrockConverse, 'anthropic.claude-sonnet-4-6'],
  [wires.ollama, 'llama3.2'],
]

describe('the image of the user and the image of a tool', () => {
  it.each(WIRES)('are each in the body once, without a loss: $name', (wire, model) => {
    const losses: Loss[] = []
    const body = JSON.stringify(wire.encode(request, model, { onLoss: (loss) => losses.push(loss) }))
    expect(losses.filter(({ path }) => path.startsWith('/messages'))).toEqual([])
    for (const base64 of [GIVEN, TAKEN]) expect(body.split(base64)).toHaveLength(2)
    expect(body.indexOf(GIVEN)).toBeLessThan(body.indexOf(TAKEN))
  })

  it('are sent to Chat Completions as its client types them', () => {
    const expected: OpenAI.ChatCompletionMessageParam[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: QUESTION },
          { type: 'image_url', image_url: { url: url(GIVEN) } },
        ],
      },
      expect.objectContaining({ role: 'assistant' }),
      { role: 'tool', tool_call_id: 'call_door', content: 'The door.\n[image/png]' },
      { role: 'tool', tool_call_id: 'call_wall', content: 'Nothing.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'In the result of "look" (call call_door):' },
          { type: 'image_url', image_url: { url: url(TAKEN) } },
        ],
      },
    ]
    const { messages } = wires.openaiChat.encode(request, 'm')
    expect(messages.slice(1)).toEqual(expected)
  })

  it('are sent to Responses as its client types them', () => {
    const expected: OpenAI.Responses.ResponseInputItem[] = [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: QUESTION },
          { type: 'input_image', image_url: url(GIVEN), detail: 'auto' },
        ],
      },
      expect.objectContaining({ type: 'function_call' }),
      expect.objectContaining({ type: 'function_call' }),
      {
        type: 'function_call_output',
        call_id: 'call_door',
        output: [
          { type: 'input_text', text: 'The door.' },
          { type: 'input_image', image_url: url(TAKEN), detail: 'auto' },
        ],
      },
      { type: 'function_call_output', call_id: 'call_wall', output: 'Nothing.' },
    ]
    expect(wires.openaiResponses.encode(request, 'm').input.slice(1)).toEqual(expected)
  })

  it('are sent to Messages as its client types them', () => {
    const block = (data: string): Anthropic.ImageBlockParam => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    })
    const expected: Anthropic.MessageParam[] = [
      { role: 'user', content: [{ type: 'text', text: QUESTION }, block(GIVEN)] },
      expect.objectContaining({ role: 'assistant' }),
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_door', content: [{ type: 'text', text: 'The door.' }, block(TAKEN)] },
          { type: 'tool_result', tool_use_id: 'call_wall', content: 'Nothing.' },
        ],
      },
    ]
    expect(wires.anthropicMessages.encode(request, 'm').messages).toEqual(expected)
  })

  it('are sent to Gemini as its client types them', () => {
    const inline = (data: string) => ({ inlineData: { mimeType: 'image/png', data } })
    const expected: Content[] = [
      { role: 'user', parts: [{ text: QUESTION }, inline(GIVEN)] },
      expect.objectContaining({ role: 'model' }),
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_door', name: 'look', response: { output: 'The door.' }, parts: [inline(TAKEN)] } },
          { functionResponse: { id: 'call_wall', name: 'look', response: { output: 'Nothing.' } } },
        ],
      },
    ]
    expect(wires.gemini.encode(request, 'gemini-3-pro').contents).toEqual(expected)
  })
})
