/** AI SDK: `generateText` with the OpenAI provider and a `fetch` that returns a prepared reply. `prepareSteps` makes one step. */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, isStepCount, jsonSchema, tool } from 'ai'

const REPLY = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Warm.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
})

export function prepareSteps(_, { messages, tools }) {
  let sent = ''
  const fetch = async (_url, { body }) => {
    sent = body
    return new Response(REPLY, { headers: { 'content-type': 'application/json' } })
  }
  const model = chatModel(fetch)
  const toolSet = Object.fromEntries(
    tools.map(({ function: { name, description, parameters } }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters), execute: () => null }),
    ]),
  )
  const history = messages.flatMap(toModelMessage)
  const system = messages.find(({ role }) => role === 'system')?.content
  return async ({ content }) => {
    await generateText({ model, tools: toolSet, system, messages: [...history, { role: 'user', content }] })
    return sent
  }
}

export function createWireLoop({ tools, steps, prompt, fetch }) {
  const model = chatModel(fetch)
  const toolSet = Object.fromEntries(
    tools.map(({ name, description, parameters, execute }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters), execute }),
    ]),
  )
  return {
    async run() {
      const { text } = await generateText({ model, tools: toolSet, prompt, stopWhen: isStepCount(steps + 1) })
      return text
    },
  }
}

function chatModel(fetch) {
  return createOpenAI({ apiKey: 'not-a-key', baseURL: 'http://localhost/v1', fetch }).chat('model')
}

function toModelMessage({ role, content, toolCalls, callId, name }) {
  switch (role) {
    case 'system':
      return []
    case 'user':
      return [{ role, content }]
    case 'assistant': {
      const calls = toolCalls.map((call) => ({
        type: 'tool-call',
        toolCallId: call.id,
        toolName: call.name,
        input: JSON.parse(call.arguments),
      }))
      return [{ role, content: calls }]
    }
    default:
      return [
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: callId, toolName: name, output: { type: 'json', value: JSON.parse(content) } },
          ],
        },
      ]
  }
}
