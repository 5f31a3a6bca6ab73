/** TanStack AI: `chat` with zod tools. */
import { chat, maxIterations, toolDefinition } from '@tanstack/ai'
import { z } from 'zod'

export function createLoop(options) {
  return createChatLoop(options, () => z.object({ a: z.number(), b: z.number() }))
}

/** Creates the loop for one schema notation. `toSchema` returns the arguments' schema in that notation. */
export function createChatLoop({ tools, steps, script, prompt }, toSchema) {
  const adapter = toAdapter(script)
  const serverTools = tools.map((definition) => {
    const { name, description, execute } = definition
    return toolDefinition({ name, description, inputSchema: toSchema(definition) }).server(execute)
  })
  return {
    run: () =>
      chat({
        adapter,
        messages: [{ role: 'user', content: prompt }],
        tools: serverTools,
        agentLoopStrategy: maxIterations(steps + 1),
        stream: false,
        debug: false,
      }),
  }
}

function toAdapter(script) {
  return {
    kind: 'text',
    name: 'scripted',
    model: 'scripted',
    async *chatStream({ messages, model, threadId, runId }) {
      const call = script.next(messages)
      const event = { model, timestamp: Date.now() }
      const run = { ...event, threadId, runId }
      yield { ...run, type: 'RUN_STARTED' }
      if (call === undefined) {
        const messageId = 'message'
        yield { ...event, type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }
        yield { ...event, type: 'TEXT_MESSAGE_CONTENT', messageId, delta: script.answer }
        yield { ...event, type: 'TEXT_MESSAGE_END', messageId }
        yield { ...run, type: 'RUN_FINISHED', finishReason: 'stop' }
        return
      }
      const { id: toolCallId, name: toolCallName, arguments: delta } = call
      yield { ...event, type: 'TOOL_CALL_START', toolCallId, toolCallName, toolName: toolCallName, index: 0 }
      yield { ...event, type: 'TOOL_CALL_ARGS', toolCallId, delta }
      yield { ...event, type: 'TOOL_CALL_END', toolCallId, toolCallName, toolName: toolCallName }
      yield { ...run, type: 'RUN_FINISHED', finishReason: 'tool_calls' }
    },
    structuredOutput() {
      throw new Error('This model has no structured output.')
    },
  }
}
