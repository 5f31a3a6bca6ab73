/** Cases about runs in one process. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DurableRun, ListPosition, RunState } from '../engine/engine.ts'
import { type Case, never, newStore, poll, pollWaiting } from './case.ts'
import type { ContractHarness } from './harness.ts'

export const runCases: readonly Case[] = [
  {
    name: 'a run returns its output, also when asked again later, and is executed only once',
    async run(harness: ContractHarness) {
      const store = newStore()
      let calls = 0
      const fn = async (input: number, { steps }: DurableRun) => steps.run('a', async () => ({ sum: input + ++calls }))
      await using engine = await harness.open(store, fn)
      assert.deepEqual(await engine.run('one', 2), { sum: 3 })
      assert.deepEqual(await engine.run('one', 2), { sum: 3 })
      assert.deepEqual(await engine.result('one'), { sum: 3 })
      await using client = await harness.open<number, unknown>(store)
      assert.deepEqual(await client.result('one'), { sum: 3 })
      // Not every engine has versions.
      const { startedAt, version: _, ...status } = (await client.status('one')) ?? never()
      assert.deepEqual(plain(status), { id: 'one', state: 'finished', input: 2, waitsFor: [], output: { sum: 3 } })
      assert.ok(Math.abs(Date.parse(startedAt) - Date.now()) < 60_000)
      assert.equal(calls, 1)
    },
  },
  {
    name: 'inputs, steps and outputs are preserved with unusual keys and characters',
    async run(harness) {
      const odd = JSON.parse(
        '{"__proto__":{"a":1},"constructor":null,"é\\u0000\\ud83d\\ude00\\n":["\\u2028",1e21,-0.5,""],"":{}}',
      )
      await using engine = await harness.open(newStore(), async (input: unknown, { steps }) => {
        const given = await steps.run('__proto__', async () => input)
        assert.equal(await steps.run('nothing', async () => undefined), undefined)
        const again = await steps.run('constructor', async () => input)
        return typeof input === 'string' ? again : [given, again]
      })
      assert.equal(JSON.stringify(await engine.run('odd:id-1.A_', odd)), JSON.stringify([odd, odd]))
      assert.equal(({} as { a?: unknown }).a, undefined)
      for (const text of [' \n\ta ', '']) {
        const id = `text-${text.length}`
        assert.deepEqual([await engine.run(id, text), await engine.result(id)], [text, text])
      }
    },
  },
  {
    name: 'step keys and decision names may be long or empty, and every character counts',
    async run(harness) {
      const executed: string[] = []
      await using engine = await harness.open(newStore(), async (_: number, { steps }) => {
        const results: unknown[] = []
        for (const key of KEYS)
          results.push(
            await steps.run(key, async () => {
              executed.push(key)
              return `step ${key}`
            }),
          )
        for (const name of KEYS) results.push(await steps.wait(name))
        return results
      })
      await engine.start('keys', 1)
      for (const name of KEYS) {
        await pollWaiting(engine, 'keys')
        const { waitsFor } = (await engine.status('keys')) ?? never()
        assert.deepEqual(
          waitsFor.map((wait) => wait.name),
          [name],
        )
        await engine.signal('keys', name, `decision ${name}`)
      }
      assert.deepEqual(await engine.result('keys'), [
        ...KEYS.map((key) => `step ${key}`),
        ...KEYS.map((key) => `decision ${key}`),
      ])
      assert.deepEqual(executed, KEYS)
    },
  },
  {
    name: 'input and output may be undefined',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (input: undefined) => input)
      assert.equal(await engine.run('nothing', undefined), undefined)
      assert.equal((await engine.status('nothing'))?.state, 'finished')
    },
  },
  {
    name: 'the same id with another input is refused, and the first run is kept',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (input: { a: number; b?: number }) => input.a)
      assert.equal(await engine.run('same', { a: 1, b: 2 }), 1)
      assert.equal(await engine.run('same', { b: 2, a: 1 }), 1)
      await assert.rejects(engine.run('same', { a: 2 }), { code: 'another_input' })
    },
  },
  {
    name: 'an invalid id, input, output or step result is refused with its code',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (input: unknown, { steps }) => {
        if (input === 'step') return await steps.run('a', async () => new Date() as unknown)
        return new Map()
      })
      for (const id of ['', ' ', '.', '..', 'a/b', 'a\n', 'ä', 'x'.repeat(201)])
        await assert.rejects(engine.start(id, 1), { code: 'invalid_id' })
      for (const id of [17, undefined, null, {}]) {
        await assert.rejects(engine.start(id as unknown as string, 1), { code: 'invalid_id' })
        await assert.rejects(engine.status(id as unknown as string), { code: 'invalid_id' })
      }
      await assert.rejects(engine.run('input', new Date()), { code: 'invalid_value' })
      for (const kind of ['step', 'output'])
        await assert.rejects(engine.run(kind, kind), (error: { code?: unknown; failure?: { code?: unknown } }) => {
          assert.equal(error.code, 'run_failed')
          assert.equal(error.failure?.code, 'invalid_value')
          return true
        })
      await assert.rejects(engine.result('missing'), { code: 'unknown_run' })
      assert.equal(await engine.status('missing'), undefined)
    },
  },
  {
    name: 'a key or name that is not a string is refused without affecting other runs',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (kind: string, { steps }) => {
        const odd = (kind === 'undefined' ? undefined : 5) as unknown as string
        if (kind === 'wait') return await steps.wait(odd)
        if (kind !== 'good') return await steps.run(odd, async () => 1)
        return await steps.wait('go')
      })
      for (const kind of ['step', 'undefined', 'wait'])
        await assert.rejects(engine.run(kind, kind), (error: { code?: unknown; failure?: { code?: unknown } }) => {
          assert.deepEqual([error.code, error.failure?.code], ['run_failed', 'invalid_value'])
          return true
        })
      await engine.start('good', 'good')
      for (const name of [5, undefined, null, {}])
        await assert.rejects(engine.signal('good', name as unknown as string, 1), { code: 'invalid_value' })
      await engine.signal('good', 'go', 'gone')
      assert.equal(await engine.result('good'), 'gone')
    },
  },
  {
    name: 'an id may have 200 characters and is case-sensitive',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (input: number) => input)
      const ids = ['A'.repeat(200), 'a'.repeat(200), `${'A'.repeat(199)}B`, ':'.repeat(200)]
      assert.deepEqual(await Promise.all(ids.map((id, index) => engine.run(id, index))), [0, 1, 2, 3])
      assert.deepEqual((await engine.list()).map(({ id }) => id).sort(), [...ids].sort())
      assert.equal((await engine.status(ids[2] as string))?.input, 2)
    },
  },
  {
    name: 'waiting for a run can be aborted at once, and the run continues',
    async run(harness) {
      const store = newStore()
      await using engine = await harness.open(store, async (_: number, { steps }) => steps.wait('go'))
      await using client = await harness.open<number, unknown>(store)
      await engine.start('goes-on', 1)
      const reason = new Error('enough')
      const kept: Promise<unknown>[] = []
      for (const waiter of [engine, client]) {
        const controller = new AbortController()
        const { signal } = controller
        const waits = [waiter.result('goes-on', { signal }), waiter.run('goes-on', 1, { signal })]
        kept.push(waiter.result('goes-on').catch((cause) => cause))
        const givenUp = waits.map((wait) => assert.rejects(wait, (cause) => cause === reason))
        await sleep(100)
        controller.abort(reason)
        // The run is waiting for the decision below, so only the signals can end these waits.
        await Promise.all(givenUp)
        await assert.rejects(waiter.result('goes-on', { signal }), (cause) => cause === reason)
      }
      await client.signal('goes-on', 'go', 'gone')
      assert.deepEqual(await Promise.all(kept), ['gone', 'gone'])
      assert.equal(await engine.result('goes-on', { signal: new AbortController().signal }), 'gone')
    },
  },
  {
    name: 'a failed run has ended, and every process receives its failure',
    async run(harness) {
      const store = newStore()
      let calls = 0
      await using engine = await harness.open(store, async (input: string) => {
        calls++
        throw Object.assign(new RangeError(input), { code: 'max_steps' })
      })
      await using client = await harness.open<string, unknown>(store)
      const long = '"no room"\n'.repeat(1000)
      for (const [id, input, message] of [
        ['bad', 'no room', 'no room'],
        ['long', long, `${long.slice(0, 2000)}…`],
      ] as const) {
        const failure = { name: 'RangeError', message, code: 'max_steps' }
        await assert.rejects(engine.run(id, input), { code: 'run_failed', failure })
        await assert.rejects(client.result(id), { code: 'run_failed', failure })
        const status = (await client.status(id)) ?? never()
        assert.equal(status.state, 'failed')
        assert.deepEqual(status.failure, failure)
      }
      assert.equal(calls, 2)
    },
  },
  {
    name: 'a failed step can be requested again and is executed again',
    async run(harness) {
      let tries = 0
      await using engine = await harness.open(newStore(), async (_: number, { steps }) => {
        const attempt = () =>
          steps.run('a', async () => {
            if (++tries < 3) throw Object.assign(new Error(`try ${tries}`), { code: 'busy' })
            return tries
          })
        const errors: string[] = []
        while (errors.length < 5) {
          try {
            return [...errors, await attempt()]
          } catch (cause) {
            errors.push(`${(cause as Error).message} ${(cause as { code?: string }).code}`)
          }
        }
        return errors
      })
      assert.deepEqual(await engine.run('again', 1), ['try 1 busy', 'try 2 busy', 3])
    },
  },
  {
    name: 'concurrent steps start immediately, and a second one with the same key is refused',
    async run(harness) {
      const begun: string[] = []
      await using engine = await harness.open(newStore(), async (_: number, { steps }) => {
        const one = async (name: string, ms: number) => {
          await steps.run(`intent-${name}`, async () => 'token')
          return await steps.run(`call-${name}`, async () => {
            begun.push(name)
            // Keeps each step running until all of them have started.
            await poll(async () => begun.length >= 3)
            await sleep(ms)
            return name
          })
        }
        let release: () => void = () => {}
        const held = new Promise<void>((resolve) => {
          release = resolve
        })
        const first = steps.run('twin', () => held)
        const refused = await steps.run('twin', async () => {}).catch((cause: { code?: unknown }) => cause.code)
        release()
        await first
        return [...(await Promise.all([one('a', 30), one('b', 0), one('c', 20)])), refused]
      })
      assert.deepEqual(await engine.run('parallel', 1), ['a', 'b', 'c', 'key_in_use'])
    },
  },
  {
    name: 'cancelling a run aborts its signal, starts no new steps, and ends the run',
    async run(harness) {
      const store = newStore()
      const begun: string[] = []
      let aborted = false
      await using engine = await harness.open(store, async (_: number, { steps, signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true
        })
        for (let index = 0; ; index++)
          await steps.run(`step-${index}`, async () => {
            begun.push(`step-${index}`)
            await sleep(30)
          })
      })
      const result = engine.run('endless', 1)
      const rejected = assert.rejects(result, { code: 'run_cancelled' })
      await poll(async () => begun.length >= 2)
      await engine.cancel('endless')
      await rejected
      await poll(async () => aborted)
      await sleep(200)
      const { length } = begun
      await sleep(200)
      assert.equal(begun.length, length)
      assert.equal((await engine.status('endless'))?.state, 'cancelled')
      await engine.cancel('endless')
      await assert.rejects(engine.cancel('missing'), { code: 'unknown_run' })
      await assert.rejects(engine.run('endless', 1), { code: 'run_cancelled' })
    },
  },
  {
    name: 'a run that is cancelled while it ends is either finished or cancelled, consistently for all callers',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (input: number, { steps }) => {
        await steps.run('a', () => sleep(input, null))
        return input
      })
      const one = async (index: number) => {
        const id = `ends-${index}`
        const result = engine.run(id, index % 10).then(
          () => 'finished',
          (cause: { code?: unknown }) => cause.code,
        )
        await poll(async () => (await engine.status(id)) !== undefined)
        await sleep(index % 10)
        await engine.cancel(id)
        const { state } = (await engine.status(id)) ?? never()
        assert.match(state, /^(finished|cancelled)$/)
        assert.equal(await result, state === 'finished' ? state : 'run_cancelled')
      }
      await Promise.all(Array.from({ length: 30 }, (_, index) => one(index)))
    },
  },
  {
    name: 'runs are listed newest first, by state and up to a limit',
    async run(harness) {
      await using engine = await harness.open(newStore(), async (input: number, { steps }) => {
        if (input === 1) throw new Error('no')
        return input === 2 ? await steps.wait('go') : input
      })
      for (const [index, id] of ['x', 'y', 'z'].entries()) {
        await engine.start(id, index)
        await sleep(20)
      }
      await poll(async () => (await engine.list({ state: 'waiting' })).length === 1)
      await poll(async () => (await engine.list({ state: 'failed' })).length === 1)
      await poll(async () => (await engine.list({ state: 'finished' })).length === 1)
      for (const limit of [-1, 1.5, Number.NaN]) await assert.rejects(engine.list({ limit }), { code: 'invalid_options' })
      for (const after of [null, { id: 'x' }, { id: '', startedAt: new Date().toISOString() }])
        await assert.rejects(engine.list({ after: after as never }), { code: 'invalid_options' })
      const ids = (statuses: readonly { readonly id: string }[]) => statuses.map(({ id }) => id).join()
      assert.equal(ids(await engine.list()), 'z,y,x')
      assert.equal(ids(await engine.list({ limit: 2 })), 'z,y')
      assert.equal(ids(await engine.list({ state: 'failed' })), 'y')
      assert.deepEqual(
        (await engine.list({ state: 'waiting' })).map(({ id, input }) => ({ id, input })),
        [{ id: 'z', input: 2 }],
      )
      const startedAt = (await engine.status('y'))?.startedAt as string
      assert.equal(ids(await engine.list({ startedFrom: startedAt })), 'z,y')
      assert.equal(ids(await engine.list({ startedBefore: startedAt })), 'x')
      assert.equal(ids(await engine.list({ startedFrom: startedAt, limit: 1 })), 'z')
      assert.equal(ids(await engine.list({ waitsFor: 'go' })), 'z')
      assert.equal(ids(await engine.list({ waitsFor: 'gone' })), '')
      for (const wrong of [{ startedFrom: 'today' }, { startedBefore: '' }, { waitsFor: 'go', state: 'failed' as const }])
        await assert.rejects(engine.list(wrong), { code: 'invalid_options' })
    },
  },
  {
    name: 'the list is complete, without a run twice, page by page and while other runs start and end',
    async run(harness) {
      const store = newStore()
      const fn = async (input: number, { steps }: DurableRun) => (input === 0 ? 'ended' : await steps.wait('go'))
      await using engine = await harness.open(store, fn)
      const ids = Array.from({ length: harness.quick ? 150 : 500 }, (_, index) => `w-${index}`).sort()
      await Promise.all(ids.map((id) => engine.start(id, 1)))
      await poll(async () => (await engine.list({ state: 'waiting', limit: 1000 })).length === ids.length)
      const isComplete = async (state: RunState | undefined, limit: number) => {
        const found: string[] = []
        let after: ListPosition | undefined
        do {
          const page = await engine.list({ state, limit, after })
          found.push(...page.map(({ id }) => id))
          after = page.length < limit ? undefined : page.at(-1)
        } while (after !== undefined)
        const waiting = found.filter((id) => id.startsWith('w-'))
        assert.deepEqual(waiting.sort(), ids)
      }
      for (const limit of [1000, 40]) for (const state of [undefined, 'waiting'] as const) await isComplete(state, limit)
      let isOver = false
      const others = (async () => {
        for (let index = 0; !isOver; index++) await engine.run(`other-${index}`, 0)
      })()
      for (let looks = 0; looks < (harness.quick ? 4 : 20); looks++) await isComplete('waiting', looks % 2 === 0 ? 1000 : 40)
      isOver = true
      await others
    },
  },
]

/** Step keys and decision names that differ only in their case, a space, or their last character. */
const KEYS = ['', 'x', 'X', ' x', 'k'.repeat(200), `${'k'.repeat(199)}l`]

/** Returns the value after a JSON round trip. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
