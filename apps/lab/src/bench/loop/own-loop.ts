/** Our loop: `createReactAgent` with TypeBox tools. */
import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import type { ScriptedModel } from './loop-script.ts'
import type { Loop, LoopOptions } from './loop-workload.ts'

export async function createLoop({ tools, steps, script, prompt }: LoopOptions, lm = toLM(script)): Promise<Loop> {
  const agent = await createReactAgent({
    lm,
    signature: defineSignature({ instructions: '', inputs: { question: Type.String() }, outputs: { answer: Type.String() } }),
    tools: tools.map(({ name, description, execute }) =>
      defineTool({ name, description, args: Type.Object({ a: Type.Number(), b: Type.Number() }), execute }),
    ),
    maxSteps: steps + 1,
  })
  return {
    async run() {
      const { outputs } = await agent.run({ question: prompt })
      return outputs.answer
    },
  }
}

function toLM(script: ScriptedModel): LM {
  return {
    async generate({ messages }) {
      const call = script.next(messages)
      return call === undefined ? { text: script.answer, toolCalls: [] } : { text: '', toolCalls: [call] }
    },
  }
}
