/** Tests the health of a file engine whose folder can't be used any more. */
import { mkdtempSync, promises, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { DurableError } from '../errors.ts'
import { createFileEngine } from './file-engine.ts'

const root = mkdtempSync(join(tmpdir(), 'health-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0

async function opened() {
  const folder = join(root, String(++count))
  const problems: DurableError[] = []
  const onProblem = (problem: DurableError) => problems.push(problem)
  const engine = await createFileEngine({ folder, fn: async (input: number) => input, lookEveryMs: 20, onProblem })
  onTestFinished(() => engine.close())
  return { folder, engine, problems }
}

describe('a file engine', () => {
  it('is healthy, and leaves no file behind when it checks that', async () => {
    const { folder, engine } = await opened()
    for (let check = 0; check < 3; check++) expect(await engine.health()).toEqual({ ok: true })
    expect(readdirSync(join(folder, 'orders'))).toEqual([])
  })

  it.each(['', 'orders'])('is not healthy once its folder is removed: "%s"', async (part) => {
    const { folder, engine } = await opened()
    rmSync(join(folder, part), { recursive: true })
    expect(await engine.health()).toMatchObject({
      ok: false,
      problem: { code: 'cannot_open', message: expect.stringContaining('ENOENT') },
    })
  })

  it.each(['waiting', 'ended', 'orders'])('is not healthy if another file has the place of its folder: "%s"', async (part) => {
    const { folder, engine } = await opened()
    rmSync(join(folder, part), { recursive: true })
    writeFileSync(join(folder, part), '')
    expect(await engine.health()).toMatchObject({ ok: false, problem: { code: 'cannot_open' } })
  })

  it('stays healthy if a user has deleted the folder of the ended runs, which is created again', async () => {
    const { folder, engine } = await opened()
    rmSync(join(folder, 'ended'), { recursive: true })
    expect(await engine.health()).toEqual({ ok: true })
  })

  it('is not healthy while the process has no file descriptors left', async () => {
    const { engine, problems } = await opened()
    const none = async () => {
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE', errno: -24 })
    }
    const { open, opendir, readdir, writeFile } = promises
    const restore = () => {
      Object.assign(promises, { open, opendir, readdir, writeFile })
      syncBuiltinESMExports()
    }
    onTestFinished(restore)
    Object.assign(promises, { open: none, opendir: none, readdir: none, writeFile: none })
    syncBuiltinESMExports()
    await expect.poll(() => problems.length).toBeGreaterThan(0)
    expect(await engine.health()).toMatchObject({
      ok: false,
      problem: { code: 'cannot_open', message: expect.stringContaining('EMFILE') },
    })
    restore()
    expect(await engine.health()).toEqual({ ok: true })
    expect(await engine.run('run', 1)).toBe(1)
  })
})
