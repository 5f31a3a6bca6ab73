import { getEventListeners } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { itLeavesRuns } from '../../test/left-runs.ts'
import { describeRestate, freePorts, startRestate, type TestRestate } from '../../test/restate/restate.ts'
import { seededRandom } from '../contract/case.ts'
import type { DurableEngine, RunFunction } from '../engine/engine.ts'
import { createRestateEngine } from './create-engine.ts'
import type { RestateEngineOptions } from './options.ts'

describeRestate('the engine on Restate', () => {
  let restate: TestRestate
  let ports: number[] = []
  beforeAll(async () => {
    restate = await startRestate()
    ports = await freePorts(20)
  })
  afterAll(() => restate?.close())
  let count = 0

  /** Opens an engine. Engines of the same place use the same port. */
  function open<Input, Output>(
    place: { readonly name: string; readonly port: number },
    fn?: RunFunction<Input, Output>,
    options: Partial<RestateEngineOptions<Input, Output>> = {},
  ): Promise<DurableEngine<Input, Output>> {
    const { ingressUrl, adminUrl } = restate
    return createRestateEngine({ ...place, ingressUrl, adminUrl, fn, ...options })
  }
  const newPlace = () => ({ name: `test-${++count}`, port: ports.pop() as number })
  const random = seededRandom(1)
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  async function stateOfServer(name: string): Promise<string | undefined> {
    const body = JSON.stringify({ query: `select status from sys_invocation where target_service_name = '${name}'` })
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const response = await fetch(`${restate.adminUrl}/query`, { method: 'POST', headers, body })
    return ((await response.json()) as { rows: { status: string }[] }).rows[0]?.status
  }

  itLeavesRuns((fn, options) => open(newPlace(), fn, options))

  it('records concurrent steps in any order', async () => {
    const place = newPlace()
    const counts = new Map<string, number>()
    const fn: RunFunction<string, string[]> = async (_, { steps }) => {
      const call = async (id: string) => {
        const run = (key: string) =>
          steps.run(key, async () => {
            counts.set(key, (counts.get(key) ?? 0) + 1)
            await sleep(random() * 30)
            return key
          })
        return (await run(`intent-${id}`)) + (await run(`call-${id}`))
      }
      const values = await Promise.all(['a', 'b', 'c'].map(call))
      await steps.wait('go')
      return [...values, await call('d')]
    }
    const ids = Array.from({ length: 20 }, (_, index) => `r${index}`)
    const first = await open(place, fn)
    for (const id of ids) await first.start(id, '')
    await expect.poll(async () => (await first.list({ state: 'waiting' })).length).toBe(20)
    await first.close()
    await using second = await open(place, fn)
    for (const id of ids) await second.signal(id, 'go', true)
    for (const id of ids) {
      expect(await second.result(id)).toEqual(['intent-acall-a', 'intent-bcall-b', 'intent-ccall-c', 'intent-dcall-d'])
    }
    expect(counts).toEqual(new Map(['a', 'b', 'c', 'd'].flatMap((id) => [`intent-${id}`, `call-${id}`].map((key) => [key, 20]))))
  })

  it('reports the failure of a run, here and in other processes', async () => {
    const cause = Object.assign(new RangeError('no "room"'), { code: 'full' })
    const place = newPlace()
    const failure = { name: 'RangeError', message: 'no "room"', code: 'full' }
    await using engine = await open(place, () => Promise.reject(cause))
    await expect(engine.run('r', 1)).rejects.toMatchObject({ code: 'run_failed', failure, cause })
    await using other = await open(place)
    await expect(other.run('r', 1)).rejects.toMatchObject({ code: 'run_failed', failure })
    expect(await other.status('r')).toMatchObject({ state: 'failed', failure })
    expect(await other.list({ state: 'failed' })).toHaveLength(1)
    expect(await other.list({ state: 'cancelled' })).toHaveLength(0)
  })

  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('waits for two decisions at once: %s then %s, even after a restart', async (one, two) => {
    const place = newPlace()
    const fn: RunFunction<null, unknown> = async (_, { steps }) => {
      const found = await Promise.allSettled([steps.wait('a', { say: 'A' }), steps.wait('b')])
      for (const result of found) if (result.status === 'rejected') throw result.reason
      const order = await steps.run('seen', async () => 'both')
      return [order, await steps.wait('c')]
    }
    const first = await open(place, fn)
    await first.start('r', null)
    await expect
      .poll(async () => (await first.status('r'))?.waitsFor)
      .toEqual([{ name: 'a', about: { say: 'A' } }, { name: 'b' }])
    await first.signal('r', one, 1)
    await expect.poll(async () => (await first.status('r'))?.waitsFor.map(({ name }) => name)).toEqual([two])
    await first.signal('r', two, 2)
    await expect.poll(async () => (await first.status('r'))?.waitsFor).toEqual([{ name: 'c' }])
    await first.close()
    await using second = await open(place, fn)
    await second.signal('r', 'c', 3)
    expect(await second.result('r')).toEqual(['both', 3])
  })

  it('keeps the first decision of a name while there is no worker', async () => {
    const place = newPlace()
    const fn: RunFunction<null, unknown> = async (_, { steps }) => steps.wait('go')
    const first = await open(place, fn)
    await first.close()
    await using client = await open(place)
    await client.start('r', null)
    await client.signal('r', 'go', { one: 1 })
    await client.signal('r', 'go', { one: 1 })
    await expect(client.signal('r', 'go', 2)).rejects.toMatchObject({ code: 'already_decided' })
    await using second = await open(place, fn)
    expect(await second.result('r')).toEqual({ one: 1 })
  })

  it('begins no step of a lost run, even beside a running one', async () => {
    const seen: string[] = []
    let isRunning = false
    await using engine = await open(newPlace(), async (_: null, { steps, signal }) => {
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
      const long = async () => {
        isRunning = true
        await aborted
        await sleep(400)
      }
      const slow = steps.run('slow', long).catch((cause) => seen.push(`slow ${(cause as Error).message}`))
      await aborted
      await steps.run('late', async () => seen.push('late')).catch((cause) => seen.push((cause as { code: string }).code))
      await slow
    })
    await engine.start('r', null)
    await expect.poll(() => isRunning).toBe(true)
    await engine.cancel('r')
    await expect.poll(() => [...seen].sort()).toEqual(['lost', expect.stringContaining('slow The run was cancelled')])
    await sleep(500)
    expect(seen).toHaveLength(2)
  })

  it('removes a waiting run from its worker, and calls again with the decision', async () => {
    const place = newPlace()
    const calls: boolean[] = []
    let isAborted = false
    await using engine = await open(place, async (_: null, { steps, signal }) => {
      signal.addEventListener('abort', () => {
        isAborted = true
      })
      const replayed = calls.length > 0
      await steps.run('a', async () => calls.push(replayed))
      return (await steps.wait('go')) === undefined
    })
    await engine.start('r', null)
    await expect.poll(() => stateOfServer(place.name)).toBe('suspended')
    expect(await engine.status('r')).toMatchObject({ state: 'waiting', waitsFor: [{ name: 'go' }] })
    expect(isAborted).toBe(false)
    await engine.signal('r', 'go', undefined)
    expect(await engine.result('r')).toBe(true)
    expect(calls).toEqual([false])
  })

  it('supports several engines in one process, and reuses a released port', async () => {
    const place = newPlace()
    const one = await open(place, async (input: number) => input + 1)
    await using two = await open(newPlace(), async (input: number) => input + 2)
    expect(await Promise.all([one.run('r', 1), two.run('r', 1)])).toEqual([2, 3])
    await expect(open({ ...newPlace(), port: place.port }, async () => 1)).rejects.toMatchObject({ code: 'engine_failed' })
    await one.close()
    await using three = await open({ ...newPlace(), port: place.port }, async (input: number) => input + 3)
    expect(await three.run('r', 1)).toBe(4)
  })

  it('registers workers once, and again when their settings change', async () => {
    const place = newPlace()
    for (const [retentionMs, revision] of [
      [60_000, 1],
      [60_000, 1],
      [90_000, 2],
    ] as const) {
      await using engine = await open(place, async (input: number) => input, { retentionMs })
      expect(await engine.run(`r${retentionMs}`, 1)).toBe(1)
      const service = (await (await fetch(`${restate.adminUrl}/services/${place.name}`)).json()) as { revision: number }
      expect(service.revision).toBe(revision)
    }
  })

  it('refuses what is too large for the server: a step, an output, wait details, an input, a decision', async () => {
    const big = 'é'.repeat(20_000_000)
    const half = 'x'.repeat(18_000_000)
    const executed: string[] = []
    await using engine = await open(newPlace(), async (input: string, { steps }) => {
      const step = (key: string, value: string) =>
        steps.run(key, async () => {
          executed.push(`${input} ${key}`)
          return value
        })
      if (input === 'output') return big
      if (input === 'wait') return await steps.wait('go', big)
      if (input === 'both') return (await Promise.all([step('a', half), step('b', half)])).map(({ length }) => length)
      const code = await step('large', big).catch((cause) => cause.code)
      return [code, await steps.wait('go')]
    })
    for (const id of ['output', 'wait'])
      await expect(engine.run(id, id)).rejects.toMatchObject({ code: 'run_failed', failure: { code: 'invalid_value' } })
    expect(await engine.run('both', 'both')).toEqual([18_000_000, 18_000_000])
    await engine.start('step', 'step')
    await expect(engine.signal('step', 'go', big)).rejects.toMatchObject({ code: 'invalid_value' })
    await engine.signal('step', 'go', 'yes')
    expect(await engine.result('step')).toEqual(['invalid_value', 'yes'])
    // A failed step is executed again after a decision.
    expect(executed).toEqual(['both a', 'both b', 'step large', 'step large'])
    await expect(engine.start('input', big)).rejects.toMatchObject({ code: 'invalid_value' })
    expect(await engine.status('input')).toBeUndefined()
  })

  it('accepts an input, a step and an output just below the maximum size', async () => {
    const large = 'x'.repeat(29_990_000)
    await using engine = await open(newPlace(), async (input: string, { steps }) => await steps.run('a', async () => input))
    expect((await engine.run('r', large)).length).toBe(large.length)
  })

  it('stops waiting with the reason of the signal, and leaves no listener behind', async () => {
    await using engine = await open(newPlace(), async (_: null, { steps }) => await steps.wait('go'))
    const controller = new AbortController()
    const { signal } = controller
    await engine.start('r', null)
    const waits = [engine.run('r', null, { signal }), engine.result('r', { signal })].map((wait) => wait.catch((cause) => cause))
    await sleep(200)
    controller.abort(new Error('enough'))
    // The run can't end before the decision below, so only the signal can end these waits.
    expect(await Promise.all(waits)).toEqual([new Error('enough'), new Error('enough')])
    expect(getEventListeners(signal, 'abort')).toEqual([])
    await expect(engine.run('never', null, { signal })).rejects.toThrow('enough')
    expect(await engine.status('never')).toBeUndefined()
    await engine.signal('r', 'go', 1)
    expect(await engine.result('r')).toBe(1)
  })

  it('holds and reports a run that no longer matches its program, but not one that failed or was given back', async () => {
    const place = newPlace()
    const problems: unknown[] = []
    const onProblem = (problem: unknown) => problems.push(problem)
    const fn: RunFunction<string, unknown> = async (input, { steps }) => {
      if (input === 'fails') throw new Error('bad')
      await steps.run('a', async () => 1)
      return await steps.wait('go')
    }
    const first = await open(place, fn, { onProblem })
    await expect(first.run('fails', 'fails')).rejects.toMatchObject({ code: 'run_failed' })
    await first.start('changed', 'waits')
    await expect.poll(async () => (await first.status('changed'))?.state).toBe('waiting')
    await first.close()
    expect(problems).toEqual([])
    await using second = await open<string, unknown>(place, async (_, { steps }) => await steps.wait('go'), { onProblem })
    await expect.poll(async () => (await second.status('changed'))?.state).toBe('held')
    const failure = { code: 'steps_mismatch', message: expect.stringContaining('mismatch') }
    expect(await second.status('changed')).toMatchObject({ failure })
    await expect.poll(() => problems).toMatchObject([{ code: 'run_held', failure }])
  })

  it('gives up when no worker has ever registered, and when no server answers', async () => {
    // Opening has the same patience, and must succeed.
    await using client = await open(newPlace(), undefined, { patienceMs: 5000 })
    await expect(client.start('r', 1)).rejects.toMatchObject({ code: 'engine_failed' })
    const ingressUrl = `http://127.0.0.1:${ports.pop()}`
    await expect(open(newPlace(), undefined, { ingressUrl, patienceMs: 200 })).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining(ingressUrl),
    })
  })

  it('records all running steps when a worker with several connections is closed', async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `r${index}`)
    for (let round = 0; round < 5; round++) {
      const place = newPlace()
      const executed: string[] = []
      const fn: RunFunction<number, string> = async (index, { id, steps }) =>
        steps.run('long', async () => {
          executed.push(id)
          await sleep(50 * index)
          return 'done'
        })
      const first = await open(place, fn)
      await Promise.all(ids.map((id, index) => first.start(id, index)))
      await expect.poll(() => executed.length).toBe(ids.length)
      await first.close()
      await using second = await open(place, fn)
      for (const id of ids) expect(await second.result(id)).toBe('done')
      expect(executed.sort()).toEqual([...ids].sort())
    }
  })
})
