/** Mastra: `Agent.generate` with zod tools. */
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'

export function createLoop({ tools, steps, script, prompt }) {
  const agent = new Agent({
    id: 'bench',
    name: 'bench',
    instructions: '',
    model: toModelOutput(script),
    tools: Object.fromEntries(
      tools.map(({ name, description, execute }) => {
        const inputSchema = z.object({ a: z.number(), b: z.number() })
        return [name, createTool({ id: name, description, inputSchema, execute })]
      }),
    ),
  })
  return {
    async run() {
      const { text } = await agent.generate(prompt, { maxSteps: steps + 1 })
      return text
    },
  }
}

function toModelOutput(script) {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
  return {
    specificationVersion: 'v2',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const call = script.next(prompt)
      if (call === undefined) {
        return { content: [{ type: 'text', text: script.answer }], finishReason: 'stop', usage, warnings: [] }
      }
      const content = [{ type: 'tool-call', toolCallId: call.id, toolName: call.name, input: call.arguments }]
      return { content, finishReason: 'tool-calls', usage, warnings: [] }
    },
    doStream() {
      throw new Error('This model does not stream.')
    },
  }
}
