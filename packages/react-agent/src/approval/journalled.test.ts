/** Decisions in a journal are final, and apply only to what was shown. */
import { scriptedLM } from '@x/lm/testing'
import { defineTool, deriveTool, type Tool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import { AgentError } from '../errors.ts'
import { createReactAgent } from '../react-agent.ts'
import type { PausedRun } from './paused-run.ts'

function bank() {
  const paid: string[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pay an amount.',
    args: Type.Object({ amount: Type.Integer(), to: Type.String({ default: 'ada' }) }),
    effect: 'write',
    execute: ({ amount, to }) => {
      paid.push(`${amount} to ${to}`)
      return 'Paid.'
    },
  })
  return { paid, pay, asking: deriveTool(pay, { needsApproval: true }) }
}

const ASKED = { toolCalls: [call('pay', { amount: 40 }, 'p1')] }

const create = async (tools: readonly Tool[], script: Parameters<typeof scriptedLM>[0]) =>
  createReactAgent({ lm: scriptedLM(script), tools, signature: answer })

async function failureOf(run: Promise<unknown>): Promise<AgentError> {
  const error = await run.catch((thrown: unknown) => thrown)
  if (error instanceof AgentError) return error
  throw new Error('The run did not fail.')
}

const pausedBy = async (run: Promise<unknown>) => (await failureOf(run)).paused as PausedRun

describe('a decision in a journal', () => {
  it('still applies when the run is resumed again, and a different one is rejected', async () => {
    const { paid, asking } = bank()
    const steps = new MemorySteps()
    const paused = await pausedBy((await create([asking], [ASKED])).run({ question: '?' }))
    const failing = await create([asking], [new Error('no power')])
    await failureOf(failing.resume(paused, { p1: true }, { steps }))
    expect(paid).toEqual(['40 to ada'])
    for (const other of [false, { type: 'edit', args: { amount: 20 } }] as const) {
      const agent = await create([asking], [{ text: 'Done.' }])
      await expect(agent.resume(paused, { p1: other }, { steps })).rejects.toMatchObject({ code: 'approval_invalid' })
    }
    const agent = await create([asking], [{ text: 'Done.' }])
    expect(await agent.resume(paused, { p1: true }, { steps })).toMatchObject({ outputs: { answer: 'Done.' } })
    expect(paid).toEqual(['40 to ada'])
  })

  it("isn't requested again in a replay", async () => {
    const { paid, asking } = bank()
    const steps = new MemorySteps()
    const script = [ASKED, { text: 'Done.' }]
    await (await create([asking], script)).run({ question: '?' }, { steps, id: 'r', approve: () => true })
    const replayed = await (await create([asking], [])).run({ question: '?' }, { steps, id: 'r', approve: () => false })
    expect(replayed.trajectory.messages[2]).toMatchObject({ content: 'Paid.' })
    expect(paid).toEqual(['40 to ada'])
  })
})

describe('a paused turn', () => {
  it('keeps refused calls: a call that appears twice with one id runs once', async () => {
    const { paid, pay } = bank()
    const ask = deriveTool(pay, { name: 'ask', needsApproval: true } as never)
    const twice = call('pay', { amount: 1 }, 'x')
    const turn = { toolCalls: [call('ask', { amount: 2 }, 'a'), twice, twice] }
    const paused = await pausedBy((await create([ask, pay], [turn])).run({ question: '?' }))
    await (await create([ask, pay], [{ text: 'Done.' }])).resume(paused, { a: true })
    expect(paid.filter((entry) => entry.startsWith('1 '))).toEqual(['1 to ada'])
  })

  it('keeps the budget and the unknown calls of its run', async () => {
    const { asking } = bank()
    const usage = { inputTokens: 100, outputTokens: 10 }
    const lm = scriptedLM([{ ...ASKED, usage }])
    const agent = await createReactAgent({ lm, tools: [asking], signature: answer })
    const paused = await pausedBy(agent.run({ question: '?' }, { budget: { tokens: 105 } }))
    const resumed = (await create([asking], [{ text: 'Done.' }])).resume(paused, { p1: true })
    await expect(resumed).rejects.toMatchObject({ code: 'budget_exceeded' })
    const unknown = { code: 'unknown_outcome', callId: 'u1', name: 'pay', args: {}, idempotencyKey: 'k' } as const
    const result = await (await create([asking], [{ text: 'Done.' }])).resume(
      { ...paused, budget: {}, unknownCalls: [unknown] },
      { p1: true },
    )
    expect(result.unknownCalls).toEqual([unknown])
  })
})

describe('a journal', () => {
  it('keeps the id of its run, and with it the idempotency keys', async () => {
    const keys: string[] = []
    const note = defineTool({
      name: 'note',
      description: 'Note.',
      args: Type.Object({}),
      effect: 'idempotent',
      execute: (_, { idempotencyKey }) => keys.push(idempotencyKey),
    })
    const steps = new MemorySteps()
    const script = [{ toolCalls: [call('note', {}, 'n1')] }, { text: 'Done.' }]
    await (await create([note], script)).run({ question: '?' }, { steps })
    for (const key of ['call-n1', 'model-2']) steps.records.delete(key)
    await (await create([note], [{ text: 'Done.' }])).run({ question: '?' }, { steps })
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    const other = (await create([note], script)).run({ question: '?' }, { steps, id: 'another' })
    await expect(other).rejects.toMatchObject({ code: 'steps_mismatch' })
  })
})
