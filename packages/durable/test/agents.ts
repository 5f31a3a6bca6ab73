/** The functions of the contract suite, implemented by real agents. */
import { defineSignature, type LM, type LMResponse } from '@x/adapters'
import { agentTool, createReactAgent, type ReactAgent } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'
import type { ContractFunctions, ContractInput } from '../src/contract/functions.ts'
import type { ContractWorld } from '../src/contract/world.ts'
import type { RunFunction } from '../src/engine/engine.ts'

const signature = defineSignature({
  instructions: 'Pay the amount.',
  inputs: { amount: Type.Number() },
  outputs: { answer: Type.String() },
})

export const agentFunctions: ContractFunctions = {
  fiveSteps: (world) => agentFunction(world, ['look', 'pay']),
  approval: (world) => agentFunction(world, ['pay'], true),
  nested: (world) => nestedFunction(world),
}

/** Creates a manager whose clerk pays. The run returns the text of the clerk. */
function nestedFunction(world: ContractWorld): RunFunction<ContractInput, string> {
  const open = async () => {
    const clerk = await createReactAgent({
      lm: createModel(world, ['pay']),
      tools: createTools(world, true),
      signature,
      name: 'clerk',
    })
    const ask = agentTool(clerk, { name: 'ask_clerk', description: 'Asks the clerk to pay.' })
    return await createReactAgent({ lm: createModel(world, ['ask_clerk']), tools: [ask], signature })
  }
  let agent: ReturnType<typeof open> | undefined
  return async (input, run) => {
    agent ??= open()
    const { outputs } = await (await agent).run(input, { ...run, steps: world.watched(run) })
    return outputs.answer
  }
}

function agentFunction(
  world: ContractWorld,
  calls: readonly string[],
  needsApproval = false,
): RunFunction<ContractInput, string> {
  let agent: Promise<ReactAgent<typeof signature>> | undefined
  return async (input, run) => {
    agent ??= createReactAgent({ lm: createModel(world, calls), tools: createTools(world, needsApproval), signature })
    const { outputs, unknownCalls } = await (await agent).run(input, { ...run, steps: world.watched(run) })
    if (unknownCalls.length > 0) throw new Error('An idempotent call is unknown.')
    return outputs.answer
  }
}

function createTools(world: ContractWorld, needsApproval: boolean) {
  return [
    defineTool({
      name: 'look',
      description: 'Looks.',
      args: Type.Object({ amount: Type.Number() }),
      effect: 'read',
      execute: () => world.think(),
    }),
    defineTool({
      name: 'pay',
      description: 'Pays.',
      args: Type.Object({ amount: Type.Number() }),
      effect: 'idempotent',
      needsApproval,
      execute: async ({ amount }, { idempotencyKey = '' }) => {
        const [runId = ''] = idempotencyKey.split('/')
        await world.write(runId, needsApproval ? `payment of ${amount}` : 'payment', idempotencyKey)
        return `paid ${amount}`
      },
    }),
  ]
}

/** Creates a stand-in for a model: it makes one call after the other with the task's amount, then returns the last tool's output. */
function createModel(world: ContractWorld, calls: readonly string[]): LM {
  return {
    async generate({ messages }): Promise<LMResponse> {
      await world.think()
      const results = messages.filter(({ role }) => role === 'tool')
      const name = calls[results.length]
      const amount = /\d+/.exec(JSON.stringify(messages.find(({ role }) => role === 'user')))?.[0]
      if (name !== undefined)
        return { text: '', toolCalls: [{ id: name, name, arguments: `{"amount":${amount}}` }], finishReason: 'tool-calls' }
      const paid = /paid \d+|rejected/.exec(JSON.stringify(results.at(-1)))?.[0] ?? ''
      return { text: paid, toolCalls: [], finishReason: 'stop' }
    },
  }
}
