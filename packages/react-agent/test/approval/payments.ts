/** Test helpers: a tool that requires approval, agents that use it, and their paused runs. */
import type { LMResponse } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import type { PausedRun } from '../../src/approval/paused-run.ts'
import { AgentError } from '../../src/errors.ts'
import type { ReactAgentOptions } from '../../src/options.ts'
import { createReactAgent } from '../../src/react-agent.ts'
import { answer, call } from '../tools.ts'

// Shared by all tools, because each schema would be compiled once more.
const AMOUNT = Type.Object({ amount: Type.Integer({ minimum: 1 }) })

/** Creates a tool that records the payments and their idempotency keys. */
export function payments() {
  const paid: { amount: number; key: string }[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pay an amount.',
    args: AMOUNT,
    effect: 'write',
    needsApproval: true,
    execute: ({ amount }, { idempotencyKey }) => {
      paid.push({ amount, key: idempotencyKey })
      return `Paid ${amount}.`
    },
  })
  return { pay, paid }
}

export const SCRIPT = [{ toolCalls: [call('pay', { amount: 5 }, 'p1')] }, { text: 'Done.' }]

export async function agentFor(
  tools: ReactAgentOptions<typeof answer>['tools'],
  script: readonly Partial<LMResponse>[],
  rest: object = {},
) {
  const lm = scriptedLM(script as never)
  return { lm, agent: await createReactAgent({ lm, tools, signature: answer, ...rest }) }
}

/** Returns the paused run as another process would read it. */
export async function pause(run: Promise<unknown>): Promise<PausedRun> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof AgentError) || error.code !== 'approval_required') throw error ?? new Error('The run did not pause.')
  return JSON.parse(JSON.stringify(error.paused)) as PausedRun
}

/** Returns the observations that the model received. */
export function resultsOf({ trajectory }: { trajectory: { messages: readonly object[] } }): readonly unknown[] {
  return trajectory.messages.flatMap((message) => ('callId' in message && 'content' in message ? [message.content] : []))
}
