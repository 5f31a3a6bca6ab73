/** Our agent, used with every engine of `@x/durable`. */
import { defineSignature, type LM } from '@x/adapters'
import type { RunFunction } from '@x/durable'
import { createReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import type { DurableWork, Effect } from './durable-workload.ts'

export interface Question {
  readonly question: string
  /** True for a run that waits for the decision "go" before it ends. */
  readonly waits: boolean
}

export const QUESTION: Question = { question: 'Add the numbers.', waits: false }

export async function agentFunction({ script, tools, timed }: DurableWork): Promise<RunFunction<Question, string>> {
  const lm: LM = {
    async generate({ messages }) {
      const { text, toolCalls } = script.next(messages)
      return { text, toolCalls: [...toolCalls], finishReason: toolCalls.length > 0 ? 'tool-calls' : 'stop' }
    },
  }
  const add = (name: string, effect: Effect) =>
    defineTool({
      name,
      description: 'Adds two numbers.',
      args: Type.Object({ a: Type.Number(), b: Type.Number() }),
      effect,
      execute: (args) => script.add(args),
    })
  const agent = await createReactAgent({
    lm,
    signature: defineSignature({ instructions: '', inputs: { question: Type.String() }, outputs: { answer: Type.String() } }),
    tools: Object.entries(tools).map(([name, effect]) => add(name, effect)),
    maxSteps: script.steps,
  })
  return async ({ question, waits }, run) => {
    const answer = await timed(async () => (await agent.run({ question }, run)).outputs.answer)
    if (waits) await run.steps.wait('go')
    return answer
  }
}
