/** ax: a program with functions. Its functions use JSON Schema, and nothing validates their arguments. */
import { AxMockAIService, ax as program } from '@ax-llm/ax'

export function createLoop({ tools, steps, script, prompt }) {
  const ai = toModelOutput(script)
  const answer = program('question:string -> answer:string', {
    functions: tools.map(({ name, description, parameters, execute }) => ({ name, description, parameters, func: execute })),
    maxSteps: steps + 1,
  })
  return {
    async run() {
      const outputs = await answer.forward(ai, { question: prompt }, { stream: false })
      return outputs.answer
    },
  }
}

function toModelOutput(script) {
  const service = new AxMockAIService({
    features: { functions: true, streaming: false },
    async chatResponse({ chatPrompt }) {
      return { results: [toResult(script.next(chatPrompt), script.answer)] }
    },
  })
  // On each call, the mock sorts the latencies of all previous calls. That cost belongs to the mock, not to ax.
  service.updateMetrics = () => {}
  return service
}

function toResult(call, answer) {
  if (call === undefined) return { index: 0, content: `Answer: ${answer}`, finishReason: 'stop' }
  const functionCalls = [{ id: call.id, type: 'function', function: { name: call.name, params: call.arguments } }]
  return { index: 0, functionCalls, finishReason: 'function_call' }
}
