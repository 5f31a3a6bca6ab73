/** AI SDK: `generateText` with zod tools. */
import { generateText, isStepCount, tool } from 'ai'
import { z } from 'zod'

export function createLoop(options) {
  return createAiLoop(options, () => z.object({ a: z.number(), b: z.number() }))
}

/** Creates the loop for one schema notation. `toSchema` returns the arguments' schema in that notation. */
export function createAiLoop({ tools, steps, script, prompt }, toSchema) {
  const model = toModelOutput(script)
  const toolSet = Object.fromEntries(
    tools.map((definition) => {
      const { name, description, execute } = definition
      return [name, tool({ description, inputSchema: toSchema(definition), execute })]
    }),
  )
  return {
    async run() {
      const { text } = await generateText({ model, tools: toolSet, prompt, stopWhen: isStepCount(steps + 1) })
      return text
    },
  }
}

function toModelOutput(script) {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  }
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate({ prompt }) {
      const call = script.next(prompt)
      if (call === undefined) {
        const content = [{ type: 'text', text: script.answer }]
        return { content, finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] }
      }
      const content = [{ type: 'tool-call', toolCallId: call.id, toolName: call.name, input: call.arguments }]
      return { content, finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage, warnings: [] }
    },
  }
}
