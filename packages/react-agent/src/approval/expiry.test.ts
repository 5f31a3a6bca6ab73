import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { agentFor, pause, payments, SCRIPT } from '../../test/approval/payments.ts'
import { MemorySteps } from '../../test/steps.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 0 }))
afterEach(() => void vi.useRealTimers())

const limits = { pauses: { expiresInMs: 1_000 } }
const INPUTS = { question: '?' }

/** Starts a run that waits with a journal. Also returns a function that starts the same run again. */
async function waiting() {
  const steps = new MemorySteps()
  const { pay, paid } = payments()
  const { agent } = await agentFor([pay], SCRIPT, limits)
  const { pending, expiresAt } = await pause(agent.run(INPUTS, { steps }))
  return { steps, agent, paid, key: pending[0]?.key ?? '', expiresAt }
}

it('finds a decision in a journal by the key of the call, in time', async () => {
  const { steps, agent, paid, key } = await waiting()
  expect(key).toBe('approval-p1')
  vi.setSystemTime(999)
  steps.decisions.set(key, true)
  await agent.run(INPUTS, { steps })
  expect(paid).toHaveLength(1)
})

it('rejects a decision that is read too late, and runs nothing', async () => {
  const { steps, agent, paid, key } = await waiting()
  steps.decisions.set(key, true)
  vi.setSystemTime(1_000)
  const expected = { code: 'approval_expired', message: expect.stringContaining('expired at 1970-01-01T00:00:01.000Z') }
  await expect(agent.run(INPUTS, { steps })).rejects.toMatchObject(expected)
  expect(paid).toEqual([])
})

it('keeps the expiry from when the call was first shown', async () => {
  const { steps, agent, expiresAt } = await waiting()
  vi.setSystemTime(500)
  expect(await pause(agent.run(INPUTS, { steps }))).toMatchObject({ expiresAt })
  vi.setSystemTime(1_000)
  await expect(agent.run(INPUTS, { steps })).rejects.toMatchObject({ code: 'approval_expired' })
})

it('keeps a decision that was read in time', async () => {
  const { steps, agent, paid, key } = await waiting()
  steps.decisions.set(key, true)
  const { trajectory } = await agent.run(INPUTS, { steps })
  vi.setSystemTime(5_000)
  expect((await agent.run(INPUTS, { steps })).trajectory).toEqual(trajectory)
  expect(paid).toHaveLength(1)
})

it.each([Number.POSITIVE_INFINITY, Number.MAX_VALUE])('has no expiry when the time limit is %d ms', async (expiresInMs) => {
  const { pay } = payments()
  const { agent } = await agentFor([pay], SCRIPT, { pauses: { expiresInMs } })
  expect((await pause(agent.run(INPUTS))).expiresAt).toBeUndefined()
})
