/** Cases for closing a worker and opening another one. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { together } from '@x/react-agent/steps'
import type { DurableRun } from '../engine/engine.ts'
import { type Case, newStore, poll, pollWaiting } from './case.ts'

export const closeCases: readonly Case[] = [
  {
    name: 'a closed worker records running steps, aborts the signal, and starts no others, and the next worker resumes after them',
    async run(harness) {
      const store = newStore()
      const executed: string[] = []
      const signals: AbortSignal[] = []
      let isClosing = false
      const fn = async (_: number, { steps, signal }: DurableRun) => {
        signals.push(signal)
        const step = (key: string) =>
          steps.run(key, async () => {
            executed.push(key)
            if (key === 'b') await poll(async () => isClosing)
            await sleep(key === 'side' ? 0 : 20)
            assert.equal(signal.aborted, false)
            return key
          })
        return [...(await Promise.all([step('a'), step('side')])), await step('b'), await step('c')]
      }
      {
        await using engine = await harness.open(store, fn)
        await engine.start('moved', 1)
        await poll(async () => executed.includes('b'))
        const closed = engine.close()
        isClosing = true
        await closed
        assert.equal(signals[0]?.aborted, true)
        assert.deepEqual([...executed].sort(), ['a', 'b', 'side'])
        await assert.rejects(engine.run('moved', 1), { code: 'closed' })
      }
      await using client = await harness.open<number, readonly string[]>(store)
      assert.match((await client.status('moved'))?.state ?? '', /^(queued|running)$/)
      await using engine = await harness.open(store, fn)
      assert.deepEqual(await engine.result('moved'), ['a', 'side', 'b', 'c'])
      assert.deepEqual([...executed].sort(), ['a', 'b', 'c', 'side'])
      assert.deepEqual(await client.result('moved'), ['a', 'side', 'b', 'c'])
    },
  },
  {
    name: 'closing at any point between two steps that belong together lets both end and repeats neither',
    async run(harness) {
      const store = newStore()
      const KEYS = ['before', 'intent', 'call', 'after']
      const executed: string[] = []
      let closing: Promise<void> | undefined
      let close = (_: string) => {}
      const fn = async (input: string, { steps }: DurableRun) => {
        const step = async (key: string) => {
          const token = await steps.run(key, async () => {
            executed.push(`${input} ${key}`)
            return key
          })
          if (key === input) close(input)
          return token
        }
        const first = await step('before')
        const pair = await together(steps, ['intent', 'call'], async () => {
          const intent = await step('intent')
          // A step may belong to several groups, and one of them may end early.
          await together(steps, ['call'], async () => {})
          return [intent, await step('call')]
        })
        return [first, ...pair, await step('after')]
      }
      for (const key of KEYS) {
        const engine = await harness.open(store, fn)
        closing = undefined
        close = (input) => {
          if (input === key) closing ??= engine.close()
        }
        await engine.start(key, key)
        await poll(async () => closing !== undefined)
        await closing
        const { length } = executed
        if (key === 'intent') assert.ok(executed.includes('intent call'))
        await sleep(100)
        assert.equal(executed.length, length)
      }
      await using engine = await harness.open(store, fn)
      for (const key of KEYS) assert.deepEqual(await engine.result(key), KEYS)
      assert.deepEqual(executed.sort(), KEYS.flatMap((input) => KEYS.map((key) => `${input} ${key}`)).sort())
    },
  },
  {
    name: 'a function that returns or fails because its worker is being closed does not end the run',
    async run(harness) {
      const store = newStore()
      let begun = 0
      let isClosing = false
      const fn = async (input: string, { steps }: DurableRun) => {
        const later = async () => {
          await steps.run('early', async () => 'early')
          if (!isClosing) begun++
          await poll(async () => isClosing)
          return await steps.run('late', async () => 'late')
        }
        const pair = together(steps, ['intent', 'call'], async () => {
          await steps.run('intent', async () => 'intent')
          await poll(async () => isClosing)
          await sleep(50)
          return await steps.run('call', async () => 'call')
        })
        return await Promise.all([pair, input === 'fails' ? later() : later().catch(() => 'closed')])
      }
      const ids = ['fails', 'returns']
      {
        const engine = await harness.open(store, fn)
        for (const id of ids) await engine.start(id, id)
        await poll(async () => begun === ids.length)
        const closed = engine.close()
        isClosing = true
        await closed
      }
      await using engine = await harness.open(store, fn)
      for (const id of ids) assert.deepEqual(await engine.result(id), ['call', 'late'])
    },
  },
  {
    name: 'closing does not wait for a step that never ends if its run is cancelled',
    async run(harness) {
      let begun = false
      const engine = await harness.open(newStore(), (_: number, { steps }) =>
        steps.run('a', () => {
          begun = true
          return new Promise<never>(() => {})
        }),
      )
      await engine.start('stuck', 1)
      await poll(async () => begun)
      await engine.cancel('stuck')
      await engine.close()
    },
  },
  {
    name: 'a worker that is closed right after runs were started executes no more steps, and another worker finishes the runs',
    async run(harness) {
      const store = newStore()
      const executed: string[] = []
      const fn = async (input: number, { steps }: DurableRun) => {
        for (let index = 0; index < 5; index++)
          await steps.run(`step-${index}`, async () => {
            executed.push(`${input} ${index}`)
            await sleep(20)
          })
        return input
      }
      const ids = ['a', 'b', 'c']
      {
        const engine = await harness.open(store, fn)
        for (const [index, id] of ids.entries()) await engine.start(id, index)
        await engine.close()
      }
      const { length } = executed
      await sleep(300)
      assert.equal(executed.length, length)
      await using engine = await harness.open(store, fn)
      assert.deepEqual(await Promise.all(ids.map((id) => engine.result(id))), [0, 1, 2])
      assert.equal(executed.length, 15)
    },
  },
  {
    name: 'concurrent steps return their recorded results in another worker, whatever the order in which they ended',
    async run(harness) {
      const store = newStore()
      const executed: string[] = []
      const fn =
        (isFast: boolean) =>
        async (_: number, { steps }: DurableRun) => {
          const one = async (name: string, ms: number) => {
            await steps.run(`intent-${name}`, () => sleep(isFast ? 0 : ms, name))
            return await steps.run(`call-${name}`, async () => {
              executed.push(name)
              await sleep(isFast ? 0 : ms)
              return name
            })
          }
          const names = await Promise.all([one('a', 90), one('b', 10), one('c', 50)])
          const hold = await steps.run('hold', () => sleep(isFast ? 0 : 400, 'held'))
          return [...names, hold, await steps.wait('go')]
        }
      {
        await using engine = await harness.open(store, fn(false))
        await engine.start('order', 1)
        await poll(async () => executed.length === 3)
        await sleep(200)
      }
      {
        await using engine = await harness.open(store, fn(true))
        await pollWaiting(engine, 'order')
      }
      await using engine = await harness.open(store, fn(true))
      await engine.signal('order', 'go', 'gone')
      assert.deepEqual(await engine.result('order'), ['a', 'b', 'c', 'held', 'gone'])
      assert.deepEqual(executed.sort(), ['a', 'b', 'c'])
    },
  },
  {
    name: 'runs can be started, decided and cancelled while no worker is open',
    async run(harness) {
      const store = newStore()
      const fn = async (input: number, { steps }: DurableRun) => [input, await steps.wait('go')]
      await using client = await harness.open<number, unknown>(store)
      {
        // For some engines, the service exists only after a worker has been open once.
        await using _worker = await harness.open(store, fn)
      }
      await client.start('one', 1)
      await client.start('two', 2)
      await client.signal('one', 'go', 'yes')
      await client.cancel('two')
      assert.equal((await client.status('two'))?.state, 'cancelled')
      const result = client.result('one')
      await using _worker = await harness.open(store, fn)
      assert.deepEqual(await result, [1, 'yes'])
      await assert.rejects(client.result('two'), { code: 'run_cancelled' })
    },
  },
  {
    name: 'once a decision is made, the run no longer waits for it, even while no worker is open',
    async run(harness) {
      const store = newStore()
      const fn = async (_: number, { steps }: DurableRun) => steps.wait('go')
      {
        await using engine = await harness.open(store, fn)
        await engine.start('decided', 1)
        await pollWaiting(engine, 'decided')
      }
      await using client = await harness.open<number, unknown>(store)
      assert.equal((await client.status('decided'))?.state, 'waiting')
      await client.signal('decided', 'go', 'yes')
      const status = await client.status('decided')
      assert.match(status?.state ?? '', /^(queued|running)$/)
      assert.deepEqual(status?.waitsFor, [])
      assert.deepEqual(await client.list({ state: 'waiting' }), [])
      await using _worker = await harness.open(store, fn)
      assert.equal(await client.result('decided'), 'yes')
    },
  },
]
