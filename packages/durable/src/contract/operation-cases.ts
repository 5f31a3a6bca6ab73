/** Cases about the health of an engine, the counts of its runs, and runs that are cancelled together. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { cancelAll } from '../engine/cancel-all.ts'
import type { DurableRun } from '../engine/engine.ts'
import { type Case, newStore, poll, pollWaiting } from './case.ts'

export const operationCases: readonly Case[] = [
  {
    name: 'an open engine is healthy, and one that is closed or being closed is not',
    async run(harness) {
      const store = newStore()
      let release: () => void = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      let isRunning = false
      const engine = await harness.open(store, async (_: number, { steps }) => {
        await steps.run('a', async () => {
          isRunning = true
          await released
        })
      })
      const client = await harness.open<number, void>(store)
      // On a busy machine, the first answer may take longer than the limit.
      for (const each of [engine, client]) await poll(async () => (await each.health()).ok)
      await engine.start('slow', 1)
      await poll(async () => isRunning)
      const closing = engine.close()
      const { ok, problem } = await engine.health()
      assert.deepEqual([ok, problem?.code], [false, 'closed'])
      assert.match(JSON.stringify(problem), /"code":"closed"/)
      release()
      await closing
      await client.close()
      for (const each of [engine, client]) assert.equal((await each.health()).problem?.code, 'closed')
    },
  },
  {
    name: 'runs that have not ended are counted by state, with the age of the oldest queued one',
    async run(harness) {
      const store = newStore()
      const none = { queued: 0, running: 0, waiting: 0, held: 0, oldestQueuedMs: 0 }
      await using client = await harness.open<string, unknown>(store)
      const counted = async () => {
        const { crashing = 0, ...counts } = await client.stats()
        assert.equal(crashing, 0)
        return counts
      }
      let release: () => void = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const program =
        (isFitting: boolean) =>
        async (input: string, { steps }: DurableRun) => {
          if (input === 'runs') await steps.run('slow', () => released)
          return input === 'waits' || (input === 'changes' && isFitting) ? await steps.wait('go') : input
        }
      {
        await using engine = await harness.open(store, program(true))
        assert.deepEqual(await counted(), none)
        for (const id of ['a', 'b']) await engine.start(id, 'waits')
        await engine.start('c', 'changes')
        await engine.run('ended', 'ends')
        await poll(async () => (await counted()).waiting === 3)
        assert.deepEqual(await counted(), { ...none, waiting: 3 })
      }
      await client.signal('c', 'go', 1)
      const { waiting, queued, running } = await counted()
      assert.deepEqual([waiting, queued + running], [2, 1], 'A run that has its decision no longer counts as waiting.')
      const before = Date.now()
      {
        await using engine = await harness.open(store, program(false))
        await poll(async () => (await counted()).held === 1)
        await engine.start('runs', 'runs')
        await poll(async () => (await counted()).running === 1)
        assert.deepEqual(await counted(), { ...none, running: 1, waiting: 2, held: 1 })
        release()
        await engine.result('runs')
        await poll(async () => (await counted()).running === 0)
      }
      await client.start('queued', 'ends')
      await sleep(1000)
      // A server may just be offering the run to the worker that is gone.
      let last = await counted()
      await poll(async () => {
        last = await counted()
        return last.queued === 1
      })
      const { oldestQueuedMs } = last
      assert.deepEqual(last, { queued: 1, running: 0, waiting: 2, held: 1, oldestQueuedMs })
      assert.ok(oldestQueuedMs >= 900 && oldestQueuedMs <= Date.now() - before, String(oldestQueuedMs))
    },
  },
  {
    name: 'runs that match a filter are cancelled together, and the others go on',
    async run(harness) {
      const store = newStore()
      const fn = async (input: string, { steps }: DurableRun) => (input === 'ends' ? input : await steps.wait(input))
      await using engine = await harness.open(store, fn)
      await engine.run('ended', 'ends')
      const waits = { a: 'go', b: 'other', c: 'go' }
      for (const [id, input] of Object.entries(waits)) await engine.start(id, input)
      for (const id of Object.keys(waits)) await pollWaiting(engine, id)
      assert.deepEqual([...(await cancelAll(engine, { waitsFor: 'go' }))].sort(), ['a', 'c'])
      assert.deepEqual(await cancelAll(engine), ['b'])
      assert.deepEqual(await cancelAll(engine), [])
      for (const id of Object.keys(waits)) assert.equal((await engine.status(id))?.state, 'cancelled')
      assert.equal((await engine.status('ended'))?.state, 'finished')
    },
  },
  {
    name: 'a filter with an unknown key or state is refused, with the keys or states that exist',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (_: number, { steps }) => await steps.wait('go'))
      await engine.start('x', 1)
      await pollWaiting(engine, 'x')
      const wrong: readonly (readonly [filter: unknown, message: RegExp])[] = [
        [{ waitFor: 'go' }, /"waitFor".*waitsFor/],
        [{ state: 'wating' }, /"state".*"wating".*waiting,/],
        [{ state: 'constructor' }, /"state".*waiting/],
        [null, /object/],
        ['waiting', /object/],
        [[], /object/],
      ]
      for (const [filter, message] of wrong) {
        await assert.rejects(engine.list(filter as never), { code: 'invalid_options', message })
        await assert.rejects(cancelAll(engine, filter as never), { code: 'invalid_options', message })
      }
      await assert.rejects(cancelAll(engine, { state: undefined }), { code: 'invalid_options', message: /"state" is undefined/ })
      // `cancelAll` cancels all runs, so it has neither a limit nor a position.
      for (const option of [{ limit: 1 }, { after: { id: 'y', startedAt: new Date().toISOString() } }])
        await assert.rejects(cancelAll(engine, option as never), { code: 'invalid_options', message: /cancelAll.*waitsFor/ })
      assert.equal((await engine.status('x'))?.state, 'waiting')
    },
  },
]
