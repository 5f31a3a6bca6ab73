import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { DurableRun, RunFunction } from '../engine.ts'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '../test-postgres.ts'
import { createDbosEngine, type DbosEngineOptions } from './index.ts'

let postgres: TestPostgres
let count = 0

const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`

describe.skipIf(POSTGRES_MISSING !== '')(`runs on DBOS${suffix}`, () => {
  beforeAll(async () => {
    postgres = await startPostgres()
  }, 60_000)
  afterAll(async () => {
    await postgres[Symbol.asyncDispose]()
  })

  it('gives the output, and executes nothing again that was recorded', async () => {
    const name = newName()
    const log: string[] = []
    const fn = twoSteps(log)
    const first = await open({ name, fn })
    expect(await first.run('a', { __proto__x: 1, text: 'hi' })).toEqual({ sum: 3 })
    await first.start('a', { text: 'hi', __proto__x: 1 })
    await expect(first.start('a', { text: 'other' })).rejects.toMatchObject({ code: 'another_input' })
    await first.close()
    const second = await open({ name, fn })
    expect(await second.run('a', { __proto__x: 1, text: 'hi' })).toEqual({ sum: 3 })
    expect(log).toEqual(['one', 'two'])
    expect(await second.status('a')).toMatchObject({ id: 'a', state: 'finished', waitsFor: [], output: { sum: 3 } })
    expect(await second.status('b')).toBeUndefined()
    await expect(second.result('b')).rejects.toMatchObject({ code: 'unknown_run' })
  })

  it('goes on in another engine where this one was closed', async () => {
    const name = newName()
    const log: string[] = []
    let begun = () => {}
    const beginning = new Promise<void>((resolve) => {
      begun = resolve
    })
    const fn: RunFunction<null, string> = async (_, { steps }) => {
      const step = (key: string, ms: number) =>
        steps.run(key, async () => {
          log.push(key)
          if (key === 'two') begun()
          await sleep(ms)
          return key
        })
      return [await step('one', 1), await step('two', 300), await step('three', 1)].join()
    }
    const first = await open({ name, fn })
    const waiting = expect(first.run('a', null)).rejects.toMatchObject({ code: 'closed' })
    await beginning
    await first.close()
    await waiting
    expect(log).toEqual(['one', 'two'])
    const looker = await open({ name })
    expect(await looker.status('a')).toMatchObject({ state: 'queued' })
    const second = await open({ name, fn })
    expect(await second.result('a')).toBe('one,two,three')
    expect(log).toEqual(['one', 'two', 'three'])
  })

  it('waits for decisions, which stay', async () => {
    const name = newName()
    const fn: RunFunction<undefined, unknown> = async (_, { steps }) => {
      const early = await steps.wait('early')
      const late = await steps.wait('late', { tool: 'pay' })
      return { early, late }
    }
    const client = await open<undefined, unknown>({ name })
    await client.start('a', undefined)
    await client.signal('a', 'early', { yes: true, no: undefined })
    await client.signal('a', 'early', { yes: true })
    const worker = await open({ name, fn })
    await until(async () => (await client.status('a'))?.state === 'waiting')
    expect((await client.status('a'))?.waitsFor).toEqual([{ name: 'late', about: { tool: 'pay' } }])
    expect(await client.list({ state: 'waiting' })).toHaveLength(1)
    expect(await client.list({ state: 'running' })).toHaveLength(0)
    await expect(client.signal('a', 'early', false)).rejects.toMatchObject({ code: 'already_decided' })
    await worker.close()
    expect(await client.status('a')).toMatchObject({ state: 'waiting' })
    await client.signal('a', 'late', undefined)
    const again = await open({ name, fn })
    expect(await again.result('a')).toEqual({ early: { yes: true } })
    await expect(client.signal('a', 'late', 1)).rejects.toMatchObject({ code: 'run_ended' })
    await expect(client.signal('b', 'late', 1)).rejects.toMatchObject({ code: 'unknown_run' })
  })

  it('says what a run failed with, in every process', async () => {
    const name = newName()
    const cause = Object.assign(new TypeError('too much'), { code: 'budget' })
    const worker = await open({
      name,
      fn: async () => {
        throw cause
      },
    })
    const failure = { name: 'TypeError', message: 'too much', code: 'budget' }
    await expect(worker.run('a', null)).rejects.toMatchObject({ code: 'run_failed', failure, cause })
    const client = await open({ name })
    await expect(client.result('a')).rejects.toMatchObject({ code: 'run_failed', failure })
    expect(await client.status('a')).toMatchObject({ state: 'failed', failure })
    await worker.close()
    const other = await open({ name, fn: async () => new Date() })
    await expect(other.run('date', null)).rejects.toMatchObject({ failure: { code: 'invalid_value' } })
  })

  it('cancels, here and from elsewhere', async () => {
    const name = newName()
    const signals = new Map<string, AbortSignal>()
    const fn: RunFunction<null, unknown> = async (_, { id, steps, signal }) => {
      signals.set(id, signal)
      if (id === 'waits') return await steps.wait('never')
      return await steps.run('long', () => sleep(60_000, null, { signal }))
    }
    const worker = await open({ name, fn, sweepMs: 200 })
    const client = await open({ name })
    for (const id of ['here', 'there', 'waits']) {
      const ended = expect(worker.run(id, null)).rejects.toMatchObject({ code: 'run_cancelled' })
      await until(async () => signals.has(id))
      await (id === 'there' ? client : worker).cancel(id)
      if (id === 'here') expect(signals.get(id)?.aborted).toBe(true)
      await ended
      await until(async () => signals.get(id)?.aborted === true)
      expect(signals.get(id)?.reason).toMatchObject({ code: 'run_cancelled' })
    }
    expect((await client.list()).map(({ id, state }) => [id, state])).toEqual([
      ['waits', 'cancelled'],
      ['there', 'cancelled'],
      ['here', 'cancelled'],
    ])
    await expect(client.cancel('nothing')).rejects.toMatchObject({ code: 'unknown_run' })
  })

  it('records steps side by side, of an agent or not, from any context', async () => {
    const name = newName()
    const log: string[] = []
    const fn: RunFunction<number, number[]> = async (input, { steps }) =>
      await Promise.all(
        Array.from({ length: input }, async (_, index) => {
          await steps.run(`intent-${index}`, async () => index)
          const value = await steps.run(`call-${index}`, async () => {
            log.push(`call-${index}`)
            await sleep(Math.random() * 20)
            return await steps.run(`inner-${index}`, async () => index * 2)
          })
          return value
        }),
      )
    const worker = await open({ name, fn })
    expect(await worker.run('a', 8)).toEqual([0, 2, 4, 6, 8, 10, 12, 14])
    expect(log).toHaveLength(8)
  })

  it('is one worker for a process', async () => {
    const fn = async () => null
    const worker = await open({ name: newName(), fn })
    await expect(open({ name: newName(), fn })).rejects.toMatchObject({ code: 'invalid_options' })
    await worker.close()
    await open({ name: newName(), fn })
  })
})

async function open<Input, Output>(options: Omit<DbosEngineOptions<Input, Output>, 'databaseUrl'>) {
  const engine = await createDbosEngine({ databaseUrl: postgres.url, ...options })
  onTestFinished(() => engine.close())
  return engine
}

function newName(): string {
  count += 1
  return `test-${count}`
}

function twoSteps(log: string[]) {
  return async (_: object, { steps }: DurableRun) => {
    const step = (key: string, value: number) =>
      steps.run(key, async () => {
        log.push(key)
        return value
      })
    return { sum: (await step('one', 1)) + (await step('two', 2)) }
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return
    await sleep(50)
  }
  throw new Error('It never held.')
}
