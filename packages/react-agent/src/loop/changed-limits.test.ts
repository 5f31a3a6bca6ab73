/** Runs whose limits change between two processes. What a run has done isn't cut off, and a refused call isn't made. */
import type { LM } from '@x/adapters'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { pause } from '../../test/approval/payments.ts'
import { MemorySteps } from '../../test/steps.ts'
import { call, report } from '../../test/tools.ts'
import type { ReactAgentOptions } from '../options.ts'
import { createReactAgent } from '../react-agent.ts'

type Options = Partial<Omit<ReactAgentOptions<typeof report>, 'search'>>

/** The replies of the model, in order. The first one needs a repair, and the second send repeats one that failed. */
const TURNS = [
  [],
  [call('send', { to: 'Ann' }, 's1')],
  [call('look', {}, 'l1'), call('send', { to: 'Ann' }, 's2')],
  [call('submit', { city: 'Rome', degrees: 21 }, 'e1')],
]

const lm: LM = {
  generate: async ({ messages }) => ({
    text: '',
    toolCalls: TURNS[messages.filter(({ role }) => role === 'assistant').length] ?? [],
    usage: { inputTokens: 100, outputTokens: 10 },
  }),
}

const ARGS = Type.Object({ to: Type.String() })
const NONE = Type.Object({})

async function play(steps: MemorySteps, options: Options = {}, needsApproval = false) {
  const sent: string[] = []
  const look = defineTool({ name: 'look', description: 'Looks.', args: NONE, effect: 'read', execute: () => 'seen' })
  const send = defineTool({
    name: 'send',
    description: 'Sends.',
    args: ARGS,
    effect: 'write',
    needsApproval,
    execute: (_, { idempotencyKey = '' }) => {
      sent.push(idempotencyKey)
      throw new Error('The server is down.')
    },
  })
  const agent = await createReactAgent({ lm, tools: [look, send], signature: report, ...options })
  const ended = await agent.run({ question: '?' }, { id: 'r', steps }).catch((error: unknown) => error)
  return { sent, ended }
}

/** Removes the records of the second send and of everything after it, except for its intent. */
function interrupt({ records }: MemorySteps): void {
  for (const key of ['call-s2', 'stop-3', 'model-4', 'call-e1', 'stop-4']) records.delete(key)
}

const unknown = [{ callId: 's2', code: 'unknown_outcome' }]

describe('a call that was interrupted', () => {
  it.each<readonly [string, Options]>([
    ['maxSteps', { maxSteps: 1 }],
    ['maxRepairs', { maxRepairs: 0 }],
    ['maxRepeats', { maxRepeats: 1 }],
    ['maxToolFailures', { maxToolFailures: 1 }],
    ['maxCallsPerTurn', { maxCallsPerTurn: 1 }],
    ['stopWhen', { stopWhen: () => true }],
  ])('is reported after a lower limit of a new version: %s', async (_, lower) => {
    const steps = new MemorySteps()
    expect(await play(steps)).toMatchObject({ sent: ['r/s1', 'r/s2'], ended: { termination: 'finished', unknownCalls: [] } })
    interrupt(steps)
    const { sent, ended } = await play(steps, lower)
    expect(sent).toEqual([])
    expect(ended).toMatchObject({ termination: 'finished', steps: 4, unknownCalls: unknown })
    const told = (ended as { trajectory: { messages: object[] } }).trajectory.messages
    expect(told).toContainEqual(expect.objectContaining({ callId: 's2', content: expect.stringContaining('Unknown outcome') }))
  })

  it.each<readonly [string, Options, Options]>([
    ['a budget of tokens', { budget: { tokens: 100 } }, {}],
    ['a budget of input tokens', { budget: { inputTokens: 1 } }, {}],
    ['a budget of output tokens', { budget: { outputTokens: 1 } }, {}],
    [
      'a higher price',
      { budget: { cost: 1 }, prices: { input: 1e6, output: 1e6 } },
      { budget: { cost: 1 }, prices: { input: 1, output: 1 } },
    ],
  ])('is reported when the next request exceeds %s of a new version', async (_, lower, before) => {
    const steps = new MemorySteps()
    await play(steps, before)
    interrupt(steps)
    const { sent, ended } = await play(steps, lower)
    expect(sent).toEqual([])
    expect(ended).toMatchObject({ code: 'budget_exceeded', unknownCalls: unknown })
    expect(steps.records.has('model-4')).toBe(false)
  })
})

it('a replay gets its recorded summaries with a lower budget of a new version', async () => {
  const steps = new MemorySteps()
  const contextWindow = { maxTokens: 1, summarize: () => 'Summary.' }
  await play(steps, { contextWindow })
  const summary = [...steps.records.keys()].find((key) => key.startsWith('summary-model-2'))
  interrupt(steps)
  const requested: string[] = []
  const run = steps.run.bind(steps)
  steps.run = (key, execute) => {
    requested.push(key)
    return run(key, execute)
  }
  await play(steps, { contextWindow, budget: { tokens: 1 } })
  expect(requested.slice(0, 4)).toEqual(['start', 'model-1', summary, 'model-2'])
})

describe('the limits of a run', () => {
  it("don't let a call run that was refused, even if a new version would run it", async () => {
    const steps = new MemorySteps()
    const limits = { maxRepeats: 1, maxToolFailures: 1 }
    expect((await play(steps, limits)).sent).toEqual(['r/s1'])
    interrupt(steps)
    const { sent, ended } = await play(steps)
    expect(sent).toEqual([])
    expect(ended).toMatchObject({ termination: 'finished', unknownCalls: [] })
  })

  it('let it take more steps if a new version has a higher maxSteps', async () => {
    const steps = new MemorySteps()
    expect((await play(steps, { maxSteps: 3 })).ended).toMatchObject({ termination: 'max_steps', steps: 3 })
    interrupt(steps)
    steps.records.delete('last-4')
    expect((await play(steps, { maxSteps: 9 })).ended).toMatchObject({ termination: 'finished', steps: 4 })
  })

  it('are those of the agent if an earlier release recorded none', async () => {
    const steps = new MemorySteps()
    await play(steps)
    interrupt(steps)
    const { limits, hasStop, ...older } = JSON.parse(steps.records.get('start') ?? '')
    steps.records.set('start', JSON.stringify(older))
    expect((await play(steps, { maxSteps: 3 })).ended).toMatchObject({ termination: 'max_steps', unknownCalls: unknown })
  })

  it('count the steps that a paused run has taken', async () => {
    const paused = await pause(createAgent(10).then((agent) => agent.run({ question: '?' })))
    const result = await (await createAgent(1)).resume(paused, { s1: false })
    expect(result).toMatchObject({ termination: 'max_steps', steps: 2 })
  })
})

/** Creates an agent whose run pauses in its second step. */
function createAgent(maxSteps: number) {
  const send = defineTool({ name: 'send', description: 'Sends.', args: ARGS, needsApproval: true, execute: () => 'sent' })
  const replies: LM = {
    async generate(request) {
      const reply = await lm.generate(request)
      const { toolChoice } = request
      return typeof toolChoice === 'object' ? { ...reply, toolCalls: TURNS[3] ?? [] } : reply
    },
  }
  return createReactAgent({ lm: replies, tools: [send], signature: report, maxSteps })
}
