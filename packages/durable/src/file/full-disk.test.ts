/** Tests runs whose records can't be written for some time. */
import fs, { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RunFunction } from '../engine/engine.ts'
import type { DurableError } from '../errors.ts'
import { createFileEngine } from './file-engine.ts'
import { Mailbox } from './mailbox.ts'

const root = mkdtempSync(join(tmpdir(), 'full-disk-'))
let isFull = false
/** True if the order of another process still fits. */
let hasOrder = false
let restore = () => {}

function noSpace(): never {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })
}

beforeAll(async () => {
  await using handle = await open(root, 'r')
  const files: Pick<FileHandle, 'appendFile'> = Object.getPrototypeOf(handle)
  const { appendFile } = files
  const { writeFileSync, appendFileSync } = fs
  const { writeFile } = fs.promises
  restore = () => {
    files.appendFile = appendFile
    Object.assign(fs, { writeFileSync, appendFileSync })
    fs.promises.writeFile = writeFile
    syncBuiltinESMExports()
  }
  files.appendFile = async function (this: FileHandle, text, ...others) {
    if (!isFull) return await appendFile.call(this, text, ...others)
    // Part of the record still fits.
    await appendFile.call(this, String(text).slice(0, 20))
    return noSpace()
  }
  // A full disk still has room for the names of files.
  Object.assign(fs, {
    writeFileSync: (...written: Parameters<typeof writeFileSync>) => (isFull ? noSpace() : writeFileSync(...written)),
    appendFileSync: (...written: Parameters<typeof appendFileSync>) => (isFull ? noSpace() : appendFileSync(...written)),
  })
  fs.promises.writeFile = async (...written) => (isFull && !hasOrder ? noSpace() : await writeFile(...written))
  syncBuiltinESMExports()
})
afterEach(() => {
  isFull = false
  hasOrder = false
})
afterAll(() => {
  restore()
  rmSync(root, { recursive: true, force: true })
})

async function fullDuringStep(name: string) {
  const folder = join(root, name)
  const problems: DurableError[] = []
  const executed: string[] = []
  const fn: RunFunction<number, unknown> = async (input, { steps }) => {
    for (const key of ['a', 'b', 'c']) {
      await steps.run(key, async () => {
        executed.push(key)
        if (key === 'b') isFull = true
        return key.repeat(100)
      })
    }
    return name === 'order' ? await steps.wait('go') : input
  }
  const engine = await createFileEngine({ folder, fn, lookEveryMs: 20, onProblem: (problem) => problems.push(problem) })
  await engine.start('run', 1)
  await expect.poll(() => problems.length).toBe(1)
  return { folder, fn, engine, problems, executed }
}

describe('a full disk', () => {
  it('does not make a step repeat: its record is written once there is space', async () => {
    const { engine, problems, executed } = await fullDuringStep('room')
    await expect.poll(() => problems.length).toBe(2)
    for (const problem of problems)
      expect(problem).toMatchObject({ code: 'write_failed', message: expect.stringContaining('ENOSPC') })
    expect(executed).toEqual(['a', 'b'])
    expect((await engine.status('run'))?.state).toBe('running')
    isFull = false
    expect(await engine.run('run', 1)).toBe(1)
    expect(executed).toEqual(['a', 'b', 'c'])
    await engine.close()
  })

  it('does not block a decision, a cancellation, a start or close', async () => {
    const { folder, fn, engine, executed } = await fullDuringStep('others')
    const refused = { code: 'write_failed' }
    await expect(engine.signal('run', 'go', 1)).rejects.toMatchObject(refused)
    await expect(engine.cancel('run')).rejects.toMatchObject(refused)
    await expect(engine.start('other', 1)).rejects.toMatchObject(refused)
    await engine.close()
    expect(executed).toEqual(['a', 'b'])
    expect(readdirSync(folder)).toContain('run.journal')
    isFull = false
    // A step that was not recorded when its process ended is executed once more.
    await using again = await createFileEngine({ folder, fn, lookEveryMs: 20 })
    const ended = again.run('run', 1)
    await expect.poll(() => isFull).toBe(true)
    isFull = false
    expect(await ended).toBe(1)
    expect(executed).toEqual(['a', 'b', 'b', 'c'])
  })

  it.each(['signal', 'cancel'] as const)('does not block %s if its own record is the first that does not fit', async (change) => {
    const folder = join(root, change)
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const fn: RunFunction<null, unknown> = async (_, { steps }) => {
      await steps.run('a', () => finished)
      return await steps.wait('go')
    }
    await using engine = await createFileEngine({ folder, fn, lookEveryMs: 20 })
    await using client = await createFileEngine<null, unknown>({ folder })
    for (const id of ['one', 'other']) await engine.start(id, null)
    const changed = (id: string) => (change === 'signal' ? engine.signal(id, 'go', 1) : engine.cancel(id))
    hasOrder = true
    isFull = true
    const refused = { code: 'write_failed' }
    for (let tries = 0; tries < 2; tries++) await expect(changed('one')).rejects.toMatchObject(refused)
    const ordered = change === 'signal' ? client.signal('other', 'go', 1) : client.cancel('other')
    await expect.poll(() => readdirSync(join(folder, 'orders')).length).toBe(1)
    isFull = false
    await ordered
    finish()
    for (const id of ['one', 'other'])
      if (change === 'signal') expect(await engine.result(id)).toBe(1)
      else await expect(engine.result(id)).rejects.toMatchObject({ code: 'run_cancelled' })
  })

  it('is reported as such by every method that writes, also for a run of another process, and by the health check', async () => {
    const folder = join(root, 'codes')
    await using engine = await createFileEngine<number, unknown>({ folder })
    await engine.start('run', 1)
    isFull = true
    const refused = { code: 'write_failed', message: expect.stringContaining('ENOSPC') }
    await expect(engine.start('other', 1)).rejects.toMatchObject(refused)
    await expect(engine.signal('run', 'go', 1)).rejects.toMatchObject(refused)
    await expect(engine.cancel('run')).rejects.toMatchObject(refused)
    expect(await engine.health()).toMatchObject({ ok: false, problem: refused })
    const mailbox = new Mailbox(join(folder, 'orders'), () => {})
    await expect(mailbox.post({ id: 'run', startedAt: '', what: { type: 'cancel' } })).rejects.toMatchObject(refused)
    const problems: DurableError[] = []
    const fn = async (input: number) => input
    const worker = await createFileEngine({ folder, fn, lookEveryMs: 20, onProblem: (problem) => problems.push(problem) })
    await expect.poll(() => problems.length).toBeGreaterThan(0)
    isFull = false
    for (const problem of problems) expect(problem).toMatchObject(refused)
    expect(await engine.result('run')).toBe(1)
    expect(readdirSync(join(folder, 'orders'))).toEqual([])
    await worker.close()
  })

  it('keeps the orders of dead processes until there is space', async () => {
    const { folder, engine, problems } = await fullDuringStep('order')
    const mailbox = new Mailbox(join(folder, 'orders'), () => {})
    hasOrder = true
    const startedAt = (await engine.status('run'))?.startedAt as string
    const order = await mailbox.post({ id: 'run', startedAt, what: { type: 'decide', name: 'go', value: -0 } })
    // By then, the orders have been checked about fifty times.
    await expect.poll(() => problems.length).toBe(2)
    expect(order.isThere()).toBe(true)
    isFull = false
    expect(await engine.result('run')).toBe(-0)
    await expect.poll(() => order.isThere()).toBe(false)
    expect(problems.map(({ code }) => code)).toEqual(['write_failed', 'write_failed'])
    await engine.close()
  })
})
