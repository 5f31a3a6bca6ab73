import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { own } from '@x/file-owner'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { itLeavesRuns } from '../../test/left-runs.ts'
import type { DurableEngine, RunFunction } from '../engine/engine.ts'
import { createFileEngine } from './file-engine.ts'

const root = mkdtempSync(join(tmpdir(), 'file-engine-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const newFolder = () => join(root, String(++count))

function open<Input, Output>(folder: string, fn?: RunFunction<Input, Output>): Promise<DurableEngine<Input, Output>> {
  return createFileEngine({ folder, fn, lookEveryMs: 20 })
}

describe('the file engine', () => {
  itLeavesRuns((fn, options) => createFileEngine({ folder: newFolder(), fn, lookEveryMs: 20, ...options }))

  it('copies an input, a decision and its details when they are passed', async () => {
    const about = { args: [1] }
    await using engine = await open<{ a: number }, unknown>(newFolder(), async (input, { steps }) => {
      const wait = steps.wait('go', about)
      about.args.push(2)
      return [input, await wait]
    })
    const input = { a: 1 }
    const started = engine.start('a', input)
    input.a = 2
    await started
    await expect.poll(async () => (await engine.status('a'))?.waitsFor).toEqual([{ name: 'go', about: { args: [1] } }])
    const value = { b: 1 }
    const decided = engine.signal('a', 'go', value)
    value.b = 2
    await decided
    expect(await engine.result('a')).toEqual([{ a: 1 }, { b: 1 }])
  })

  it('moves ended runs to their folder and finds them there', async () => {
    const folder = newFolder()
    await using engine = await open<number, number>(folder, async (input, { steps }) => steps.run('a', async () => input + 1))
    expect(await engine.run('Run:1', 1)).toBe(2)
    expect(await engine.run('run:1', 2)).toBe(3)
    expect(readdirSync(folder)).toEqual(['ended', 'orders', 'waiting'])
    expect(readdirSync(join(folder, 'ended')).sort()).toEqual(['%52un%3a1.journal', 'run%3a1.journal'])
    expect((await engine.list()).map(({ id }) => id).sort()).toEqual(['Run:1', 'run:1'])
    expect(await engine.run('run:1', 2)).toBe(3)
  })

  it('fails a run once whose output is larger than a record may be', async () => {
    // A value of this size takes seconds to serialize.
    const { byteLength } = Buffer
    const measured = vi.spyOn(Buffer, 'byteLength')
    measured.mockImplementation((text) => (String(text).includes('large') ? 256 * 1024 * 1024 : byteLength(text)))
    onTestFinished(() => measured.mockRestore())
    let calls = 0
    await using engine = await open(newFolder(), async () => {
      calls++
      return 'large'
    })
    await expect(engine.run('a', null)).rejects.toMatchObject({
      code: 'run_failed',
      failure: { code: 'invalid_value', message: expect.stringMatching(/output of the run "a" .* maximum is 268435456/) },
    })
    expect(calls).toBe(1)
  })

  it('rejects with the original error for callers in the same process', async () => {
    const cause = new RangeError('no room')
    await using engine = await open(newFolder(), () => Promise.reject(cause))
    await expect(engine.run('a', null)).rejects.toMatchObject({
      code: 'run_failed',
      failure: { name: 'RangeError', message: 'no room' },
      cause,
    })
    await expect(engine.result('a')).rejects.toMatchObject({ code: 'run_failed' })
  })

  it('limits the number of concurrent runs, not counting waiting ones', async () => {
    let now = 0
    let most = 0
    const fn: RunFunction<null, number> = async (_, { steps }) => {
      most = Math.max(most, ++now)
      try {
        await steps.run('a', () => new Promise((resolve) => setTimeout(resolve, 5)))
        return (await steps.wait('go')) as number
      } finally {
        now--
      }
    }
    await using engine = await createFileEngine({ folder: newFolder(), fn, concurrency: 2, lookEveryMs: 20 })
    const ids = Array.from({ length: 9 }, (_, index) => `run-${index}`)
    const results = ids.map((id) => engine.run(id, null))
    await expect.poll(async () => (await engine.list({ state: 'waiting' })).length).toBe(9)
    for (const id of ids) await engine.signal(id, 'go', 7)
    expect(await Promise.all(results)).toEqual(ids.map(() => 7))
    expect(most).toBe(2)
  })

  it('frees the slot of a cancelled run, even if its function never returns', async () => {
    const fn: RunFunction<string, string> = async (input, { steps }) => {
      if (input === 'stuck') await steps.run('a', () => new Promise(() => {}))
      return input
    }
    await using engine = await createFileEngine({ folder: newFolder(), fn, concurrency: 1, lookEveryMs: 20 })
    const stuck = expect(engine.run('one', 'stuck')).rejects.toMatchObject({ code: 'run_cancelled' })
    await expect.poll(async () => (await engine.status('one'))?.state).toBe('running')
    await engine.cancel('one')
    expect(await engine.run('two', 'free')).toBe('free')
    await stuck
  })

  it('waits on close for a step that never ends, until its run is cancelled', async () => {
    let begun = false
    const fn: RunFunction<null, null> = (_, { steps }) =>
      steps.run('a', () => {
        begun = true
        return new Promise(() => {})
      })
    const folder = newFolder()
    await using client = await open<null, null>(folder)
    const engine = await open(folder, fn)
    await engine.start('a', null)
    await expect.poll(() => begun).toBe(true)
    let isClosed = false
    const closed = engine.close().then(() => {
      isClosed = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(isClosed).toBe(false)
    await client.cancel('a')
    await closed
    expect((await client.status('a'))?.state).toBe('cancelled')
  })

  it('retries a held run once another process has released it', async () => {
    const folder = newFolder()
    let isFitting = false
    await using engine = await open<null, string>(folder, async () => {
      if (!isFitting) throw Object.assign(new Error('The tool is gone.'), { code: 'agent_changed' })
      return 'fits'
    })
    await engine.start('a', null)
    await expect.poll(async () => (await engine.status('a'))?.state).toBe('held')
    isFitting = true
    const { release } = own(join(folder, 'a.journal'))
    setTimeout(release, 100)
    await engine.retry('a')
    expect(await engine.result('a')).toBe('fits')
  })

  it('cancels runs that are ending', async () => {
    await using engine = await open<number, number>(newFolder(), (input, { steps }) => steps.run('a', async () => input))
    const cancel = async (index: number) => {
      await engine.start(`run-${index}`, index)
      for (let turn = 0; turn < index % 40; turn++) await new Promise((resolve) => setImmediate(resolve))
      await engine.cancel(`run-${index}`)
    }
    await Promise.all(Array.from({ length: process.env.X_FULL ? 300 : 80 }, (_, index) => cancel(index)))
  })

  it.each([
    [{ folder: '' }, 'folder'],
    [{ folder: 'x', fn: 1 }, 'fn'],
    [{ folder: 'x', concurrency: 0 }, 'concurrency'],
    [{ folder: 'x', lookEveryMs: Number.NaN }, 'lookEveryMs'],
  ])('refuses the options %j', async (options, name) => {
    await expect(createFileEngine(options as never)).rejects.toMatchObject({
      code: 'invalid_options',
      message: expect.stringContaining(`"${name}"`),
    })
  })
})
