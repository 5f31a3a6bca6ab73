/** Tests orders for a run of another process. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { RunFunction } from '../engine/engine.ts'
import type { DurableError } from '../errors.ts'
import { createFileEngine } from './file-engine.ts'
import { Mailbox, type Order } from './mailbox.ts'

const root = mkdtempSync(join(tmpdir(), 'mailbox-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const newFolder = () => join(root, String(++count))
const ordersIn = (folder: string) => readdirSync(join(folder, 'orders'))

const open = <Output>(folder: string, fn?: RunFunction<number, Output>) => createFileEngine({ folder, fn, lookEveryMs: 20 })
/** A function whose step lasts until `isOver` returns true. */
const slow =
  (isOver = () => true): RunFunction<number, unknown> =>
  async (_, { steps }) => {
    await steps.run('long', async () => {
      while (!isOver()) await sleep(10)
    })
    return await steps.wait('go')
  }

describe('orders for a run of another process', () => {
  it('are executed and leave nothing behind', async () => {
    const folder = newFolder()
    let isOver = false
    await using worker = await open(
      folder,
      slow(() => isOver),
    )
    await using client = await open<unknown>(folder)
    await worker.start('a', 1)
    await worker.start('b', 1)
    await expect.poll(async () => (await client.list({ state: 'running' })).length).toBe(2)
    await Promise.all([client.signal('a', 'go', { to: 'you' }), client.cancel('b')])
    isOver = true
    expect(await client.result('a')).toEqual({ to: 'you' })
    await expect(worker.result('b')).rejects.toMatchObject({ code: 'run_cancelled' })
    expect(ordersIn(folder)).toEqual([])
  })

  it('that decide differently succeed once, and the others are refused', async () => {
    const folder = newFolder()
    let isOver = false
    await using worker = await open(
      folder,
      slow(() => isOver),
    )
    const clients = await Promise.all(Array.from({ length: 8 }, () => open<unknown>(folder)))
    await worker.start('a', 1)
    await expect.poll(async () => (await worker.status('a'))?.state).toBe('running')
    const decided = await Promise.allSettled(clients.map((client, index) => client.signal('a', 'go', index)))
    const winner = decided.findIndex(({ status }) => status === 'fulfilled')
    expect(decided.filter(({ status }) => status === 'fulfilled').length).toBe(1)
    isOver = true
    for (const one of decided) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'already_decided' })
    expect(await worker.result('a')).toBe(winner)
    await Promise.all(clients.map((client) => client.close()))
  })

  it('are executed or answered when the run ends or pauses at that moment', async () => {
    const folder = newFolder()
    await using worker = await open(folder, async (input: number, { steps }) => {
      await steps.run('a', () => sleep(input % 50))
      return input % 2 === 0 ? input : await steps.wait('go')
    })
    await using client = await open<unknown>(folder)
    const one = async (index: number) => {
      const id = `run-${index}`
      await client.start(id, index)
      await sleep(index % 60)
      const outcome = await client.signal(id, 'go', 'gone').then(
        () => 'decided',
        (cause: DurableError) => cause.code,
      )
      expect(outcome).toMatch(index % 2 === 0 ? /^(decided|run_ended)$/ : /^decided$/)
      expect(await worker.result(id)).toBe(index % 2 === 0 ? index : 'gone')
    }
    await Promise.all(Array.from({ length: 100 }, (_, index) => one(index)))
    expect(ordersIn(folder)).toEqual([])
  })

  it('of a dead process are executed by a worker, for that run only', async () => {
    const folder = newFolder()
    await using client = await open<unknown>(folder)
    await client.start('a', 1)
    await client.start('b', 1)
    const startedAt = (await client.status('a'))?.startedAt as string
    const problems: unknown[] = []
    const mailbox = new Mailbox(join(folder, 'orders'), (problem) => problems.push(problem))
    const what: Order['what'] = { type: 'decide', name: 'go', value: 'left' }
    await mailbox.post({ id: 'a', startedAt, what })
    await mailbox.post({ id: 'b', startedAt: 'another time', what: { type: 'cancel' } })
    await mailbox.post({ id: 'never', startedAt, what })
    writeFileSync(join(folder, 'orders/x.order'), '{')
    await using worker = await open(folder, slow())
    expect(await worker.result('a')).toBe('left')
    await expect.poll(() => ordersIn(folder)).toEqual([])
    await expect.poll(async () => (await client.status('b'))?.state).toBe('waiting')
  })
})
