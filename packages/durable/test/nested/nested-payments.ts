/**
 * Tests a payment by an agent inside an agent: it is paused, its process is killed, another process resumes it, and it is approved, refused
 * or edited.
 */
import assert from 'node:assert/strict'
import { it } from 'vitest'
import { newStore, poll } from '../../src/contract/case.ts'
import { Fleet } from '../../src/contract/fleet.ts'
import type { ContractInput } from '../../src/contract/functions.ts'
import type { ContractHarness } from '../../src/contract/harness.ts'
import { repeatedSteps } from '../../src/contract/log.ts'

const DECISIONS = {
  approved: { decision: true, output: 'paid 7', payments: ['payment of 7'] },
  refused: { decision: { type: 'reject', reason: 'too much' }, output: 'rejected', payments: [] },
  edited: { decision: { type: 'edit', args: { amount: 9 } }, output: 'paid 9', payments: ['payment of 9'] },
} as const

/** The points at which a process is killed once more after the decision. A payment that isn't made has fewer of them. */
const POINTS = [
  'none',
  'executing nested-ask_clerk/decided-pay',
  'executed nested-ask_clerk/decided-pay',
  'executing nested-ask_clerk/call-pay',
  'written payment',
  'given nested-ask_clerk/call-pay',
  'executing nested-ask_clerk/model-2',
  'executed nested-ask_clerk/execution-1',
  'executing model-2',
]

export function itPaysInside(harness: ContractHarness): void {
  it('an approval inside an inner agent pauses the run, which continues in another process with one payment at most', async () => {
    const store = newStore()
    const names = Object.keys(DECISIONS) as (keyof typeof DECISIONS)[]
    const points = process.env.X_FULL ? POINTS : POINTS.filter((_, index) => index % 3 === 0 || index === 4)
    const runs = names.flatMap((name) => points.map((point, index) => ({ id: `${name}-${index}`, name, point })))
    const killAt = Object.fromEntries(
      runs.map(({ id, name, point }) => [
        id,
        point === 'written payment' ? (DECISIONS[name].payments.map((paid) => `written ${paid}`)[0] ?? '') : point,
      ]),
    )
    await using fleet = new Fleet(harness, { store, functionName: 'nested', stepMs: 5, killAt })
    await fleet.keep(1)
    {
      await using client = await harness.open<ContractInput, string>(store)
      for (const { id } of runs) await client.start(id, { amount: 7 })
      await poll(async () => (await client.list({ state: 'waiting' })).length === runs.length)
    }
    assert.equal(fleet.rows.length, 0)
    await fleet.killAll()
    await fleet.keep(2)
    await using client = await harness.open<ContractInput, string>(store)
    const outputs = await Promise.all(
      runs.map(async ({ id, name }) => {
        const [waits] = (await client.status(id))?.waitsFor ?? []
        assert.equal((waits?.about as { callId?: unknown } | undefined)?.callId, 'ask_clerk.pay')
        await client.signal(id, waits?.name ?? '', DECISIONS[name].decision)
        return await client.result(id)
      }),
    )
    assert.deepEqual(
      outputs,
      runs.map(({ name }) => DECISIONS[name].output),
    )
    for (const { id, name } of runs)
      assert.deepEqual(
        fleet.rows.filter(({ runId }) => runId === id).map((row) => row.name),
        DECISIONS[name].payments,
      )
    assert.deepEqual(repeatedSteps(fleet.notes), [])
    assert.deepEqual(fleet.failures, [])
    console.info(`${runs.length} runs, ${fleet.kills} processes killed, ${fleet.rows.length} payments`)
  })
}
