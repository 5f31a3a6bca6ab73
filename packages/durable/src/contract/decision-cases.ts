/** Cases for decisions and for runs that wait for them. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DurableRun } from '../engine/engine.ts'
import { type Case, never, newStore, poll, pollWaiting } from './case.ts'
import { CONTRACT_CONCURRENCY } from './harness.ts'

export const decisionCases: readonly Case[] = [
  {
    name: 'a run waits for a decision, lists it, and continues with it without repeating a step',
    async run(harness) {
      const store = newStore()
      let steps = 0
      const fn = async (input: number, run: DurableRun) => {
        const sum = await run.steps.run('a', async () => input + ++steps)
        const decision = await run.steps.wait('approval-1', { name: 'pay', args: { sum } })
        return await run.steps.run('b', async () => ({ sum, decision }))
      }
      await using engine = await harness.open(store, fn)
      const result = engine.run('waits', 1)
      await pollWaiting(engine, 'waits')
      await using client = await harness.open<number, unknown>(store)
      const { waitsFor } = (await client.status('waits')) ?? never()
      assert.deepEqual(plain(waitsFor), [{ name: 'approval-1', about: { name: 'pay', args: { sum: 2 } } }])
      await client.signal('waits', 'approval-1', { type: 'edit', args: { sum: 1 } })
      assert.deepEqual(await result, { sum: 2, decision: { type: 'edit', args: { sum: 1 } } })
      assert.equal(steps, 1)
      assert.deepEqual((await client.status('waits'))?.waitsFor, [])
    },
  },
  {
    name: 'a decision can be made before the run waits for it, even if it first waits for another one',
    async run(harness) {
      let isDecided = false
      await using engine = await harness.open(newStore(), async (_: number, { steps }) => {
        await steps.run('slow', () => poll(async () => isDecided))
        return [await steps.wait('first'), await steps.wait('second')]
      })
      await engine.start('early', 1)
      await engine.signal('early', 'second', 2)
      await engine.signal('early', 'never asked', 3)
      await engine.signal('early', 'first', 1)
      isDecided = true
      assert.deepEqual(await engine.result('early'), [1, 2])
    },
  },
  {
    name: 'a step may wait for decisions, as a step that runs an agent does, and continues in another process',
    async run(harness) {
      const store = newStore()
      const executed: string[] = []
      const fn = async (_: number, { steps }: DurableRun) =>
        await steps.run('outer', async () => {
          const found: unknown[] = [await steps.run('inner', async () => executed.push('inner'))]
          for (const name of ['first', 'second'])
            found.push(await steps.run(`asks-${name}`, async () => await steps.wait(name, { name })))
          return found
        })
      await using client = await harness.open<number, unknown>(store)
      for (const name of ['first', 'second']) {
        {
          await using engine = await harness.open(store, fn)
          await engine.start('inside', 1)
          await poll(async () => (await engine.status('inside'))?.waitsFor[0]?.name === name)
        }
        assert.deepEqual(plain((await client.status('inside'))?.waitsFor), [{ name, about: { name } }])
        await client.signal('inside', name, `${name} decided`)
      }
      await using _engine = await harness.open(store, fn)
      assert.deepEqual(await client.result('inside'), [1, 'first decided', 'second decided'])
      assert.deepEqual(executed, ['inner'])
    },
  },
  {
    name: 'another process can decide and cancel while a worker executes a long step',
    async run(harness) {
      const store = newStore()
      const begun: string[] = []
      let isOver = false
      await using _worker = await harness.open(store, async (input: string, { steps }: DurableRun) => {
        await steps.run('long', async () => {
          begun.push(input)
          await poll(async () => isOver)
        })
        return [await steps.wait('first'), await steps.wait('second')]
      })
      await using client = await harness.open<string, unknown>(store)
      const decided = client.run('decided', 'a')
      const cancelled = assert.rejects(client.run('cancelled', 'b'), { code: 'run_cancelled' })
      await poll(async () => begun.length === 2)
      await client.signal('decided', 'second', 2)
      await client.signal('decided', 'second', 2)
      await assert.rejects(client.signal('decided', 'second', 3), { code: 'already_decided' })
      await client.cancel('cancelled')
      assert.equal((await client.status('cancelled'))?.state, 'cancelled')
      await assert.rejects(client.signal('cancelled', 'first', 1), { code: 'run_ended' })
      await cancelled
      isOver = true
      await client.signal('decided', 'first', 1)
      assert.deepEqual(await decided, [1, 2])
    },
  },
  {
    name: 'a decision is final: repeating it is allowed and changing it is refused, before and after the run has received it',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (_: number, { steps }) => {
        const first = await steps.wait('first')
        return { first, second: await steps.wait('second') }
      })
      await engine.start('stays', 1)
      await engine.signal('stays', 'first', { a: 1, b: 2 })
      await engine.signal('stays', 'first', { b: 2, a: 1 })
      await assert.rejects(engine.signal('stays', 'first', { a: 2 }), { code: 'already_decided' })
      await poll(async () => (await engine.status('stays'))?.waitsFor[0]?.name === 'second')
      await engine.signal('stays', 'first', { a: 1, b: 2 })
      await assert.rejects(engine.signal('stays', 'first', { a: 2 }), { code: 'already_decided' })
      await engine.signal('stays', 'second', null)
      assert.deepEqual(await engine.result('stays'), { first: { a: 1, b: 2 }, second: null })
      await assert.rejects(engine.signal('stays', 'third', 1), { code: 'run_ended' })
      await assert.rejects(engine.signal('missing', 'first', 1), { code: 'unknown_run' })
    },
  },
  {
    name: 'of two decisions that two clients make at once, one is final, and the run continues with it once',
    async run(harness) {
      const store = newStore()
      const paid: unknown[] = []
      let making: Promise<unknown> | undefined
      const fn = async (_: number, { steps }: DurableRun) => {
        const amount = await steps.wait('amount')
        return await steps.run('pay', async () => {
          // A decision that arrives after the end of the run would be refused with `run_ended`.
          await making
          return paid.push(amount) && amount
        })
      }
      await using one = await harness.open<number, unknown>(store)
      await using other = await harness.open<number, unknown>(store)
      await using worker = await harness.open(store, fn)
      for (const id of ['first', 'second', 'third']) {
        await worker.start(id, 1)
        await pollWaiting(worker, id)
        const decisions = Promise.allSettled([one.signal(id, 'amount', 1), other.signal(id, 'amount', 2)])
        making = decisions
        const made = await decisions
        const refused = made.filter((each) => each.status === 'rejected')
        assert.deepEqual(
          refused.map(({ reason }) => reason.code),
          ['already_decided'],
        )
        const amount = made[0].status === 'fulfilled' ? 1 : 2
        assert.equal(await worker.result(id), amount)
        assert.deepEqual(paid.splice(0), [amount])
      }
    },
  },
  {
    name: 'a branch that continues during a wait executes no step twice at the same time, and the run ends correctly',
    async run(harness) {
      const now = new Map<string, number>()
      const twice: string[] = []
      await using engine = await harness.open(newStore(), async (_: number, { steps }) => {
        const step = (key: string) =>
          steps.run(key, async () => {
            const others = now.get(key) ?? 0
            if (others > 0) twice.push(key)
            now.set(key, others + 1)
            await sleep(30)
            now.set(key, others)
            return key
          })
        const branch = async () => {
          const keys: string[] = []
          for (let index = 0; index < 4; index++) {
            keys.push(await step(`branch-${index}`))
            // The delay grows with the index. It is about as long as calling the function again takes.
            for (let turn = 0; turn < index * 3; turn++) await null
          }
          return keys
        }
        return await Promise.all([branch(), step('other').then(() => steps.wait('go')), steps.wait('early')])
      })
      const result = engine.run('branches', 1)
      await poll(async () => (await engine.status('branches')) !== undefined)
      await engine.signal('branches', 'early', 'gone')
      await engine.signal('branches', 'go', 'gone')
      assert.deepEqual(await result, [['branch-0', 'branch-1', 'branch-2', 'branch-3'], 'gone', 'gone'])
      assert.deepEqual(twice, [])
    },
  },
  {
    name: 'a run that waits for several decisions can await only one of them',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (_: number, { steps }) => {
        const waits = [steps.wait('a'), steps.wait('b')]
        return [await waits[0], await waits[1]]
      })
      const result = engine.run('alone', 1)
      await poll(async () => (await engine.status('alone'))?.waitsFor.length === 2)
      await engine.signal('alone', 'b', 2)
      await engine.signal('alone', 'a', 1)
      assert.deepEqual(await result, [1, 2])
      await assert.rejects(engine.signal('alone', 'a', 1), { code: 'run_ended' })
    },
  },
  {
    name: 'a run that waits for several decisions can receive any of them first',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (_: number, { steps }) => {
        const waits = await Promise.allSettled([steps.wait('a', 'about a'), steps.wait('b')])
        const missing = waits.find((wait) => wait.status === 'rejected')
        if (missing?.status === 'rejected') throw new Error('It waits.', { cause: missing.reason })
        return waits.map((wait) => (wait as { value?: unknown }).value)
      })
      for (const [id, names] of [
        ['ab', ['a', 'b']],
        ['ba', ['b', 'a']],
      ] as const) {
        const result = engine.run(id, 1)
        await poll(async () => (await engine.status(id))?.waitsFor.length === 2)
        await engine.signal(id, names[0], names[0])
        // While its function is called again, the run waits for nothing for a moment.
        await poll(async () => (await engine.status(id))?.waitsFor.map(({ name }) => name).join() === names[1])
        await engine.signal(id, names[1], names[1])
        assert.deepEqual(await result, ['a', 'b'])
      }
    },
  },
  {
    name: 'a failed step before a decision does not reappear at another position after it',
    async run(harness) {
      const store = newStore()
      const executed: string[] = []
      const fn = async (_: number, { steps }: DurableRun) => {
        const first = await steps
          .run('asked', async () => {
            executed.push('asked')
            throw Object.assign(new Error('no approver'), { code: 'no_approver' })
          })
          .catch((cause: { code?: unknown }) => cause.code)
        const decided = await steps.wait('go')
        return [first, decided, await steps.run('last', async () => 'end')]
      }
      {
        await using engine = await harness.open(store, fn)
        await engine.start('mixed', 1)
        await pollWaiting(engine, 'mixed')
      }
      await using engine = await harness.open(store, fn)
      await engine.signal('mixed', 'go', 'yes')
      assert.deepEqual(await engine.result('mixed'), ['no_approver', 'yes', 'end'])
    },
  },
  {
    name: 'waiting runs occupy no capacity, and any remaining worker continues them once they are decided',
    async run(harness) {
      const store = newStore()
      const fn = async (input: number, { steps }: DurableRun) => {
        const first = await steps.run('a', async () => input)
        return first === 0 ? 'free' : [first, await steps.wait('go')]
      }
      const ids = Array.from({ length: 2 * CONTRACT_CONCURRENCY }, (_, index) => `waits-${index + 1}`)
      await using client = await harness.open<number, unknown>(store)
      {
        await using engine = await harness.open(store, fn)
        for (const [index, id] of ids.entries()) await engine.start(id, index + 1)
        await poll(async () => (await engine.list({ state: 'waiting', limit: 1000 })).length === ids.length)
        assert.equal(await engine.run('free', 0), 'free')
        await client.signal(ids[0] as string, 'go', 'gone')
        assert.deepEqual(await client.result(ids[0] as string), [1, 'gone'])
      }
      await client.signal(ids[1] as string, 'go', 'gone')
      assert.equal((await client.list({ state: 'waiting', limit: 1000 })).length, ids.length - 2)
      await using _engine = await harness.open(store, fn)
      assert.deepEqual(await client.result(ids[1] as string), [2, 'gone'])
      for (const id of ids.slice(2)) await client.signal(id, 'go', 'gone')
      const results = await Promise.all(ids.map((id) => client.result(id)))
      assert.deepEqual(
        results,
        ids.map((_, index) => [index + 1, 'gone']),
      )
    },
  },
  {
    name: "an invalid decision about an agent's call is refused, and the run keeps waiting",
    async run(harness) {
      const call = { callId: 'p1', name: 'pay', needs: 'approval', args: { amount: 1 }, digest: 'd' }
      await using engine = await harness.open(newStore(), async (_: number, { steps }) => {
        return [await steps.wait('approval-p1', call), await steps.wait('go', 'anything')]
      })
      await engine.start('refuses', 1)
      await pollWaiting(engine, 'refuses')
      const approved = { type: 'approve', args: { amount: 9 } }
      for (const value of ['true', 1, null, undefined, {}, [true], { type: 'edit' }, { type: 'result', output: 1 }, approved]) {
        await assert.rejects(engine.signal('refuses', 'approval-p1', value), { code: 'invalid_value' })
        const { state, waitsFor } = (await engine.status('refuses')) ?? never()
        assert.deepEqual([state, waitsFor.map(({ name }) => name)], ['waiting', ['approval-p1']])
      }
      await engine.signal('refuses', 'approval-p1', true)
      await poll(async () => (await engine.status('refuses'))?.waitsFor[0]?.name === 'go')
      await engine.signal('refuses', 'go', 'true')
      assert.deepEqual(await engine.result('refuses'), [true, 'true'])
    },
  },
  {
    name: 'a waiting run can be cancelled',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (_: number, { steps }) => steps.wait('go'))
      const rejected = assert.rejects(engine.run('waits', 1), { code: 'run_cancelled' })
      await pollWaiting(engine, 'waits')
      await engine.cancel('waits')
      await rejected
      assert.deepEqual((await engine.status('waits'))?.waitsFor, [])
      await assert.rejects(engine.signal('waits', 'go', 1), { code: 'run_ended' })
    },
  },
  {
    name: 'a step first returns what it will return on replay: -0 is kept, undefined properties and later changes are dropped',
    async run(harness) {
      const seen: unknown[] = []
      await using engine = await harness.open(newStore(), async (input: number, { steps }) => {
        const made: Record<string, unknown> = { zero: -0, none: undefined, [Symbol('s')]: 1 }
        const value = await steps.run('a', async () => made)
        seen.push(input, structuredClone(value))
        made.later = value.later = 1
        return [await steps.wait('go'), -0]
      })
      await engine.start('zero', -0)
      await pollWaiting(engine, 'zero')
      await engine.signal('zero', 'go', -0)
      assert.deepStrictEqual(await engine.result('zero'), [-0, -0])
      assert.ok(seen.length >= 4)
      for (let index = 0; index < seen.length; index += 2)
        assert.deepStrictEqual(seen.slice(index, index + 2), [-0, { zero: -0 }])
    },
  },
]

/** Returns the value after a JSON round trip. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
