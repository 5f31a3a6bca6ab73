/** Cases in which a different program continues a run. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DurableEngine, DurableRun } from '../engine/engine.ts'
import { type Case, never, newStore, poll, pollWaiting } from './case.ts'

export const deployCases: readonly Case[] = [
  {
    name: 'a run that does not fit the program is held with its reason, and continues after a retry with a program that fits',
    async run(harness) {
      const store = newStore()
      const executed: string[] = []
      const program =
        (isFitting: boolean) =>
        async (_: number, { steps }: DurableRun) => {
          const a = await steps.run('a', async () => {
            executed.push('a')
            return 1
          })
          const decided = await steps.wait('go')
          const b = await steps.run('b', async () => {
            executed.push(isFitting ? 'b' : 'other')
            if (!isFitting) throw Object.assign(new Error('The tool is gone.'), { code: 'agent_changed' })
            return 2
          })
          return [a, decided, b]
        }
      await using client = await harness.open<number, unknown>(store)
      {
        await using engine = await harness.open(store, program(true))
        await engine.start('held', 1)
        await pollWaiting(engine, 'held')
      }
      let isOver = false
      const result = client.result('held').finally(() => {
        isOver = true
      })
      result.catch(() => {})
      await client.signal('held', 'go', 'yes')
      {
        await using engine = await harness.open(store, program(false))
        await poll(async () => (await engine.status('held'))?.state === 'held')
        const { failure, waitsFor } = (await client.status('held')) ?? never()
        assert.equal(failure?.code, 'agent_changed')
        assert.match(failure.message, /The tool is gone\./)
        assert.deepEqual(waitsFor, [])
        assert.deepEqual(await idsOf(client, 'held'), ['held'])
        for (const state of ['queued', 'running', 'waiting', 'failed'] as const) assert.deepEqual(await idsOf(client, state), [])
        // A decision with another name doesn't continue the held run.
        await client.signal('held', 'later', 1)
        const { length } = executed
        await sleep(1500)
        assert.equal(executed.length, length)
        await engine.retry('held')
        await poll(async () => executed.length > length && (await engine.status('held'))?.state === 'held')
        assert.equal(isOver, false)
      }
      await using _engine = await harness.open(store, program(true))
      await sleep(500)
      assert.equal((await client.status('held'))?.state, 'held')
      await client.retry('held')
      assert.deepEqual(await result, [1, 'yes', 2])
      assert.deepEqual([executed.filter((key) => key === 'a').length, executed.at(-1)], [1, 'b'])
      assert.equal((await client.status('held'))?.failure, undefined)
    },
  },
  {
    name: 'a run whose program no longer requests a decision that it waited for is held, and can be cancelled',
    async run(harness) {
      const store = newStore()
      const program =
        (isWaiting: boolean) =>
        async (_: number, { steps }: DurableRun) => {
          const a = await steps.run('a', async () => 1)
          return [a, isWaiting ? await steps.wait('go') : 'nothing']
        }
      await using client = await harness.open<number, unknown>(store)
      {
        await using engine = await harness.open(store, program(true))
        await engine.start('held', 1)
        await engine.start('cancelled', 1)
        await poll(async () => (await engine.list({ state: 'waiting' })).length === 2)
      }
      for (const id of ['held', 'cancelled']) await client.signal(id, 'go', 'yes')
      {
        await using _engine = await harness.open(store, program(false))
        await poll(async () => (await idsOf(client, 'held')).length === 2)
        assert.equal((await client.status('held'))?.failure?.code, 'steps_mismatch')
      }
      await client.cancel('cancelled')
      await assert.rejects(client.retry('cancelled'), { code: 'run_ended' })
      await client.retry('held')
      await using _engine = await harness.open(store, program(true))
      assert.deepEqual(await client.result('held'), [1, 'yes'])
    },
  },
  {
    name: 'a program that takes another path before a decision that the run waited for executes no step, and the run is held',
    async run(harness) {
      const store = newStore()
      const executed: string[] = []
      const program =
        (version: 'first' | 'other') =>
        async (_: number, { steps }: DurableRun) => {
          const step = (key: string) =>
            steps.run(key, async () => {
              executed.push(`${version} ${key}`)
              return version
            })
          await step('a')
          // The other program requests a step of the same key, but for something else.
          if (version === 'other') return [await step('b')]
          await steps.wait('go')
          return [await step('b')]
        }
      await using client = await harness.open<number, unknown>(store)
      {
        await using engine = await harness.open(store, program('first'))
        await engine.start('held', 1)
        await pollWaiting(engine, 'held')
      }
      await client.signal('held', 'go', 'yes')
      {
        await using _engine = await harness.open(store, program('other'))
        await poll(async () => (await client.status('held'))?.state === 'held')
        assert.equal((await client.status('held'))?.failure?.code, 'steps_mismatch')
      }
      assert.deepEqual(executed, ['first a'])
      await client.retry('held')
      await using _engine = await harness.open(store, program('first'))
      assert.deepEqual(await client.result('held'), ['first'])
      assert.deepEqual(executed, ['first a', 'first b'])
    },
  },
  {
    name: 'a run whose program could not be loaded, because its worker has no free file descriptors, does not fail and continues later',
    async run(harness) {
      const fault = () => Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', path: '/app/tools.js' })
      const executed: string[] = []
      const fn = async (place: string, { steps }: DurableRun) => {
        const load = async (at: string) => {
          executed.push(`${place} ${at}`)
          if (place === at && executed.filter((each) => each === `${place} ${at}`).length < 3) throw fault()
          return at
        }
        const a = await steps.run('a', () => load('step'))
        // As an agent does, if a tool couldn't be loaded.
        const b = await load('function').catch((cause: unknown) => {
          throw new Error('The agent could not be created.', { cause })
        })
        return [a, b]
      }
      await using engine = await harness.open(newStore(), fn)
      for (const place of ['step', 'function']) await engine.start(place, place)
      for (const place of ['step', 'function']) {
        assert.deepEqual(await engine.result(place), ['step', 'function'])
        assert.equal(executed.filter((each) => each === `${place} ${place}`).length, 3)
      }
      // The step that has a record wasn't executed again.
      assert.equal(executed.filter((each) => each === 'function step').length, 1)
    },
  },
  {
    name: 'a step that failed before the run waited is executed again, and the run continues',
    async run(harness) {
      const store = newStore()
      const fn = async (_: number, { steps }: DurableRun) => {
        const failed = await steps.run('a', () => Promise.reject(new Error('no'))).catch(() => 'failed')
        const decided = await steps.wait('go')
        return [failed, decided, await steps.run('b', async () => 2)]
      }
      await using client = await harness.open<number, unknown>(store)
      {
        await using engine = await harness.open(store, fn)
        await engine.start('failing', 1)
        await pollWaiting(engine, 'failing')
      }
      await client.signal('failing', 'go', 'yes')
      await using _engine = await harness.open(store, fn)
      assert.deepEqual(await client.result('failing'), ['failed', 'yes', 2])
    },
  },
]

async function idsOf(engine: DurableEngine<number, unknown>, state: 'held' | 'queued' | 'running' | 'waiting' | 'failed') {
  return (await engine.list({ state })).map(({ id }) => id)
}
