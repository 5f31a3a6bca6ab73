import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DurableEngine, RunFunction } from '../engine.ts'
import { createRestateEngine } from './create-engine.ts'
import type { RestateEngineOptions } from './options.ts'
import { describeRestate, freePorts, startRestate, type TestRestate } from './test-restate.ts'

describeRestate('the engine on Restate', () => {
  let restate: TestRestate
  let ports: number[] = []
  beforeAll(async () => {
    restate = await startRestate()
    ports = await freePorts(20)
  }, 60_000)
  afterAll(() => restate?.close())
  let count = 0

  /** Opens an engine, on the same port for the same place. */
  function open<Input, Output>(
    place: { readonly name: string; readonly port: number },
    fn?: RunFunction<Input, Output>,
    options: Partial<RestateEngineOptions<Input, Output>> = {},
  ): Promise<DurableEngine<Input, Output>> {
    const { ingressUrl, adminUrl } = restate
    return createRestateEngine({ ...place, ingressUrl, adminUrl, fn, ...options })
  }
  const newPlace = () => ({ name: `test-${++count}`, port: ports.pop() as number })
  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  it('gives again what was recorded, in an engine that is opened later', async () => {
    const place = newPlace()
    const done: string[] = []
    const fn: RunFunction<number, number> = async (input, { steps }) => {
      const step = (key: string, value: number) =>
        steps.run(key, async () => {
          done.push(key)
          return value
        })
      const sum = (await step('a', input)) + (await step('b', 2))
      return sum + ((await steps.wait('go')) as number)
    }
    const first = await open(place, fn)
    await first.start('r', 1)
    await expect.poll(async () => (await first.status('r'))?.state).toBe('waiting')
    await first.close()
    await using second = await open(place, fn)
    await second.signal('r', 'go', 4)
    expect(await second.result('r')).toBe(7)
    expect(done).toEqual(['a', 'b'])
    expect(await second.status('r')).toMatchObject({ state: 'finished', input: 1, output: 7, waitsFor: [] })
  })

  it('keeps steps that run side by side, whatever their order', async () => {
    const place = newPlace()
    const counts = new Map<string, number>()
    const fn: RunFunction<string, string[]> = async (_, { steps }) => {
      const call = async (id: string) => {
        const run = (key: string) =>
          steps.run(key, async () => {
            counts.set(key, (counts.get(key) ?? 0) + 1)
            await sleep(Math.random() * 30)
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
    await expect.poll(async () => (await first.list({ state: 'waiting' })).length, { timeout: 10_000 }).toBe(20)
    await first.close()
    await using second = await open(place, fn)
    for (const id of ids) await second.signal(id, 'go', true)
    for (const id of ids) {
      expect(await second.result(id)).toEqual(['intent-acall-a', 'intent-bcall-b', 'intent-ccall-c', 'intent-dcall-d'])
    }
    expect(counts).toEqual(new Map(['a', 'b', 'c', 'd'].flatMap((id) => [`intent-${id}`, `call-${id}`].map((key) => [key, 20]))))
  })

  it('says what a run failed with, here and in other processes', async () => {
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

  it('takes a decision before the run waits, the same one again, and no other', async () => {
    await using engine = await open(newPlace(), async (_: null, { steps }) => {
      await steps.run('a', () => sleep(100))
      return [await steps.wait('x'), (await steps.wait('y')) === undefined]
    })
    await engine.start('r', null)
    await engine.signal('r', 'x', { at: [1, 'ü'] })
    await engine.signal('r', 'x', { at: [1, 'ü'] })
    await expect(engine.signal('r', 'x', 2)).rejects.toMatchObject({ code: 'already_decided' })
    await expect.poll(async () => (await engine.status('r'))?.waitsFor).toEqual([{ name: 'y' }])
    await engine.signal('r', 'y', undefined)
    expect(await engine.result('r')).toEqual([{ at: [1, 'ü'] }, true])
    await expect(engine.signal('r', 'x', { at: [1, 'ü'] })).rejects.toMatchObject({ code: 'run_ended' })
    await expect(engine.signal('nobody', 'x', 1)).rejects.toMatchObject({ code: 'unknown_run' })
  })

  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ])('waits for two decisions at once: %s then %s, and again after a new start', async (one, two) => {
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

  it('cancels: the signal fires, no step begins, and who waits hears of it', async () => {
    const seen: string[] = []
    await using engine = await open(newPlace(), async (_: null, { steps, signal }) => {
      signal.addEventListener('abort', () => seen.push('abort'))
      await steps.run('a', () => sleep(300)).catch((cause) => seen.push((cause as { code: string }).code))
      await steps.run('b', async () => seen.push('b')).catch(() => seen.push('refused'))
    })
    await engine.start('r', null)
    const result = engine.result('r')
    await expect.poll(async () => (await engine.status('r'))?.state).toBe('running')
    await Promise.all([expect(result).rejects.toMatchObject({ code: 'run_cancelled' }), engine.cancel('r')])
    expect((await engine.status('r'))?.state).toBe('cancelled')
    await expect.poll(() => seen).toEqual(['abort', 'lost', 'refused'])
    await engine.cancel('r')
    await sleep(350)
    expect(seen).not.toContain('b')
    await expect(engine.cancel('nobody')).rejects.toMatchObject({ code: 'unknown_run' })
  })

  it('refuses another input, and lists the newest first', async () => {
    await using engine = await open(newPlace(), async (input: unknown) => input)
    for (const id of ['one', 'two', 'three']) {
      await engine.run(id, { id })
      await sleep(2)
    }
    await engine.start('one', { id: 'one' })
    await expect(engine.start('one', { id: 'two' })).rejects.toMatchObject({ code: 'another_input' })
    await expect(engine.start('a b', 1)).rejects.toMatchObject({ code: 'invalid_id' })
    await expect(engine.start('a', new Date())).rejects.toMatchObject({ code: 'invalid_value' })
    expect((await engine.list()).map(({ id }) => id)).toEqual(['three', 'two', 'one'])
    expect((await engine.list({ limit: 1 })).map(({ id }) => id)).toEqual(['three'])
    expect(await engine.status('nobody')).toBeUndefined()
    await expect(engine.result('nobody')).rejects.toMatchObject({ code: 'unknown_run' })
  })

  it('is closed in mid-run: the step under way is recorded, the next one is executed by another engine', async () => {
    const place = newPlace()
    const done: string[] = []
    const fn =
      (who: string): RunFunction<null, string> =>
      async (_, { steps }) => {
        for (const key of ['a', 'b', 'c']) {
          await steps.run(key, async () => {
            done.push(`${who}-${key}`)
            await sleep(150)
          })
        }
        return who
      }
    const first = await open(place, fn('1'))
    await first.start('r', null)
    await expect.poll(() => done).toContain('1-b')
    const waiting = first.result('r')
    await Promise.all([first.close(), expect(waiting).rejects.toMatchObject({ code: 'closed' })])
    await expect(first.status('r')).rejects.toMatchObject({ code: 'closed' })
    await using second = await open(place, fn('2'))
    expect(await second.result('r')).toBe('2')
    expect(done).toEqual(['1-a', '1-b', '2-c'])
  })

  it('goes on when the server was killed in mid-run', async () => {
    const done: string[] = []
    await using engine = await open(newPlace(), async (_: null, { steps }) => {
      for (const key of ['a', 'b', 'c', 'd']) {
        await steps.run(key, async () => {
          await sleep(100)
          done.push(key)
        })
      }
      return 'end'
    })
    await engine.start('r', null)
    const result = engine.result('r')
    await expect.poll(() => done.length).toBe(2)
    await restate.kill()
    await sleep(300)
    await restate.restart()
    expect(await result).toBe('end')
    expect([...new Set(done)]).toEqual(['a', 'b', 'c', 'd'])
    expect(done.length).toBeLessThanOrEqual(5)
  })
})
