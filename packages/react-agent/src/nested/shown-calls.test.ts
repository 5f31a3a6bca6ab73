/** A call inside a call is shown in the same way by a paused run, by `approve`, by an event, and by an engine. */
import { scriptedLM } from '@x/lm/testing'
import { defineTool, InputRequired, inputOf, type ToolContext } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { pause, payments } from '../../test/approval/payments.ts'
import { openProgram } from '../../test/nested/program-tool.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import type { AskedCall } from '../approval/decision.ts'
import type { AgentEvent } from '../events.ts'
import { createReactAgent } from '../react-agent.ts'
import { agentTool } from '../tools/agent-tool.ts'

const schema = Type.Object({ day: Type.Integer() })
const ask = { key: 'day', message: 'Which day?', schema }

const program = async (body: (context: ToolContext) => unknown) => (await openProgram(body, [payments().pay])).agent

/** Creates an agent that makes a payment, inside one or more others that call it. */
async function inside(levels: number) {
  let tool: object = payments().pay
  let next = call('pay', { amount: 5 }, 'p1')
  for (let level = 0; ; level++) {
    const lm = scriptedLM([{ toolCalls: [next] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [tool] as never, signature: answer, name: `agent${level}` })
    if (level === levels) return agent
    tool = agentTool(agent, { name: 'delegate', description: 'Asks another agent.' })
    next = call('delegate', { question: '?' }, 'a1')
  }
}

class WatchedSteps extends MemorySteps {
  readonly waits: (readonly [key: string, about: unknown])[] = []

  override wait(key: string, about?: unknown): Promise<unknown> {
    this.waits.push([key, about])
    return super.wait(key)
  }
}

it.each([
  [
    'a call of a program',
    () => program((context) => context.call({ name: 'pay', args: { amount: 5 } })),
    'nested-c1/approval-c1.1',
    'c1.1',
    'c1',
  ],
  ['a question of a program', () => program((context) => context.ask(ask)), 'nested-c1/approval-c1.day', 'c1.day', 'c1'],
  ['a call of an inner agent', () => inside(1), 'nested-a1/approval-p1', 'a1.p1', 'a1'],
  ['a call two levels below', () => inside(2), 'nested-a1/nested-a1/approval-p1', 'a1.a1.p1', 'a1.a1'],
  [
    'a question that ends an execution',
    () => {
      const order = defineTool({
        name: 'program',
        description: 'Orders.',
        args: Type.Object({}),
        execute: (_, context) => {
          if (inputOf(context)?.given === undefined) throw new InputRequired('It needs input.', [ask], 1)
          return 'Ordered.'
        },
      })
      const lm = scriptedLM([{ toolCalls: [call('program', {}, 'c1')] }, { text: 'Done.' }])
      return createReactAgent({ lm, tools: [order], signature: answer })
    },
    'nested-c1/approval-c1.day',
    'c1.day',
    'c1',
  ],
])('%s is shown with its key and its outer call', async (_, open, key, callId, parentCallId) => {
  const start = { id: 'r' }
  const { pending } = await pause((await open()).run({ question: '?' }, start))
  expect(pending).toMatchObject([{ callId, parentCallId, key }])

  const asked: AskedCall[] = []
  const run = (await open()).run(
    { question: '?' },
    {
      ...start,
      approve: (shown) => {
        asked.push(shown)
        return shown.needs === 'input' ? { type: 'input', input: { day: 1 } } : true
      },
    },
  )
  const requested: unknown[] = []
  for await (const event of run.stream() as AsyncIterable<AgentEvent>)
    if (event.type === 'approval_requested') requested.push(event.call)
  expect(asked).toEqual(pending)
  expect(requested).toEqual(pending)

  const steps = new WatchedSteps()
  await pause((await open()).run({ question: '?' }, { ...start, steps }))
  expect(steps.waits.length).toBeGreaterThan(0)
  for (const wait of steps.waits) expect(wait).toEqual([key, pending[0]])
})
