/** OpenAI Agents: `Runner` with zod tools, tracing off. */
import { Agent, Runner, setTracingDisabled, tool, Usage } from '@openai/agents'
import { z } from 'zod'

export function createLoop({ tools, steps, script, prompt }) {
  setTracingDisabled(true)
  const agent = new Agent({
    name: 'bench',
    model: toModelOutput(script),
    tools: tools.map(({ name, description, execute }) =>
      tool({ name, description, parameters: z.object({ a: z.number(), b: z.number() }), execute }),
    ),
  })
  const runner = new Runner({ tracingDisabled: true })
  return {
    async run() {
      const { finalOutput } = await runner.run(agent, prompt, { maxTurns: steps + 1 })
      return finalOutput
    },
  }
}

function toModelOutput(script) {
  return {
    async getResponse({ input }) {
      const call = script.next(input)
      return { usage: new Usage({ inputTokens: 1, outputTokens: 1, totalTokens: 2 }), output: [toItem(call, script.answer)] }
    },
    getStreamedResponse() {
      throw new Error('This model does not stream.')
    },
  }
}

function toItem(call, answer) {
  return call === undefined
    ? { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: answer }] }
    : { type: 'function_call', callId: call.id, name: call.name, status: 'completed', arguments: call.arguments }
}
