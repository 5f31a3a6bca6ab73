/** Our agent, used with every engine of `@x/durable`. */
import { defineSignature, type LM } from '@x/adapters'
import type { RunFunction } from '@x/durable'
import { createReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import type { DurableWork } from './durable-workload.ts'

export const QUESTION = { question: 'Add the numbers.' }
export type Question = typeof QUESTION

export async function agentFunction({ script, effect, timed }: DurableWork): Promise<RunFunction<Question, string>> {
  const lm: LM = {
    async generate({ messages }) {
      const { text, toolCalls } = script.next(messages)
      return { text, toolCalls: [...toolCalls], finishReason: toolCalls.length > 0 ? 'tool-calls' : 'stop' }
    },
  }
  const add = defineTool({
    name: 'add',
    description: 'Adds two numbers.',
    args: Type.Object({ a: Type.Number(), b: Type.Number() }),
    effect,
    execute: (args) => script.add(args),
  })
  const agent = await createReactAgent({
    lm,
    signature: defineSignature({ instructions: '', inputs: { question: Type.String() }, outputs: { answer: Type.String() } }),
    tools: [add],
    maxSteps: script.steps,
  })
  return (input, run) => timed(async () => (await agent.run(input, run)).outputs.answer)
}
