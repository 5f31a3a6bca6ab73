/** Cases in which ended runs are removed. */
import assert from 'node:assert/strict'
import type { DurableEngine, DurableRun, ListPosition } from '../engine/engine.ts'
import { type Case, newStore, poll, pollWaiting } from './case.ts'

export const removalCases: readonly Case[] = [
  {
    name: 'an ended run can be removed, and its id is then free for another run with its own steps and decisions',
    async run(harness) {
      const store = newStore()
      await using engine = await harness.open(store, program)
      await using client = await harness.open<string, unknown>(store)
      await engine.start('a', 'one')
      await assertNotEnded(client, 'a')
      await client.signal('a', 'go', 1)
      assert.deepEqual(await client.result('a'), ['one', 1])
      await client.remove('a')
      assert.equal(await engine.status('a'), undefined)
      assert.deepEqual(await engine.list(), [])
      await assert.rejects(client.signal('a', 'go', 1), { code: 'unknown_run' })
      await client.remove('a')
      await engine.start('a', 'two')
      await assertNotEnded(client, 'a')
      await client.signal('a', 'go', 2)
      assert.deepEqual(await client.result('a'), ['two', 2])
      await engine.start('cancelled', 'one')
      await assertNotEnded(client, 'cancelled')
      await engine.cancel('cancelled')
      await client.remove('cancelled')
      await assert.rejects(engine.run('fails', 'fails'), { code: 'run_failed' })
      await engine.remove('fails')
      assert.deepEqual(
        (await client.list()).map(({ id }) => id),
        ['a'],
      )
    },
  },
  {
    name: 'a run that is started while an ended one with its id is removed is refused or executed',
    async run({ open }) {
      const store = newStore()
      await using engine = await open(store, program)
      await using client = await open<string, unknown>(store)
      const ids = Array.from({ length: 100 }, (_, index) => `run-${index}`)
      await Promise.all(ids.map((id) => engine.run(id, 'ends')))
      const one = async (id: string) => {
        const removals = [client, engine, client].map((each) => each.remove(id))
        const started = engine.start(id, 'again').then(
          () => 'started',
          (cause) => cause.code,
        )
        for (const removal of await Promise.allSettled(removals))
          if (removal.status === 'rejected') assert.equal(removal.reason.code, 'not_ended')
        if ((await started) !== 'started')
          return assert.deepEqual([await started, await client.status(id)], ['another_input', undefined])
        assert.equal((await client.status(id))?.input, 'again')
        await client.signal(id, 'go', 1)
        assert.deepEqual(await client.result(id), ['again', 1])
      }
      await Promise.all(ids.map(one))
    },
  },
  {
    name: 'a list neither repeats nor omits runs if the last run of each page is removed, or removed and started again',
    async run({ open }) {
      await using engine = await open(newStore(), program)
      const ids = Array.from({ length: 60 }, (_, index) => `run-${index}`).sort()
      await Promise.all(ids.map((id) => engine.run(id, 'ends')))
      await poll(async () => (await engine.list({ state: 'finished' })).length === ids.length)
      const found: string[] = []
      let after: ListPosition | undefined
      do {
        const page = await engine.list({ limit: 7, after })
        found.push(...page.map(({ id }) => id))
        after = page.at(-1)
        if (after === undefined) break
        await engine.remove(after.id)
        if (found.length % 2 === 0) await engine.start(after.id, 'again ends')
      } while (found.length <= ids.length)
      assert.deepEqual(found.sort(), ids)
    },
  },
  {
    name: 'workers remove runs that ended before the retention time, and no others',
    fits: ({ openRetaining }) => openRetaining !== undefined,
    async run({ open, openRetaining = open }) {
      const store = newStore()
      await using client = await open<string, unknown>(store)
      const ended = Array.from({ length: 30 }, (_, index) => `ended-${index}`)
      {
        await using engine = await open(store, program)
        for (const id of ['waits', 'held', 'cancelled']) await engine.start(id, id)
        for (const id of ended) await engine.start(id, 'ends')
        await Promise.all(ended.map((id) => engine.result(id)))
        await poll(async () => (await engine.list({ state: 'waiting' })).length === 3)
        await engine.cancel('cancelled')
        await assert.rejects(engine.run('fails', 'fails'), { code: 'run_failed' })
      }
      await client.signal('held', 'go', 1)
      await client.start('queued', 'queued')
      const other = async () => 'other'
      {
        await using engine = await openRetaining(store, other, 500)
        await poll(async () => (await client.status('held'))?.state === 'held')
        await poll(async () => (await client.list({ limit: 1000 })).length === 2)
        assert.equal((await client.status('waits'))?.state, 'waiting')
        assert.equal((await client.status('held'))?.failure?.code, 'steps_mismatch')
        await engine.retry('held')
      }
      {
        await using engine = await openRetaining(store, program, 60_000)
        await engine.retry('held')
        await client.signal('waits', 'go', 2)
        assert.deepEqual(
          [await client.result('held'), await client.result('waits')],
          [
            ['held', 1],
            ['waits', 2],
          ],
        )
        assert.deepEqual(await engine.run('ended-0', 'again ends'), ['again ends'])
      }
    },
  },
]

async function program(input: string, { steps }: DurableRun): Promise<unknown> {
  const first = await steps.run('first', async () => input)
  if (input === 'fails') throw new Error('no')
  return input.endsWith('ends') ? [first] : [first, await steps.wait('go')]
}

async function assertNotEnded(engine: DurableEngine<string, unknown>, id: string): Promise<void> {
  await pollWaiting(engine, id)
  await assert.rejects(engine.remove(id), { code: 'not_ended' })
}
