/** Tests workers in another container, which may have died. */
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DurableError } from '../errors.ts'
import { createFileEngine } from './file-engine.ts'

const root = mkdtempSync(join(tmpdir(), 'silent-owners-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const HOUR = 3_600_000

/** Starts runs, and locks those with a time like a worker in another container that has renewed its lock then. */
async function locked(ages: Readonly<Record<string, number>>) {
  const folder = join(root, String(++count))
  await using client = await createFileEngine<number, number>({ folder })
  for (const [id, age] of Object.entries(ages)) {
    await client.start(id, 1)
    const lock = join(folder, `${id}.journal.owner`)
    writeFileSync(lock, JSON.stringify({ pid: 1, started: '1', host: 'other pid:[1]' }))
    const renewed = new Date(Date.now() - age)
    utimesSync(lock, renewed, renewed)
  }
  const problems: DurableError[] = []
  const executed: string[] = []
  const fn = async (_: number, { id }: { readonly id: string }) => executed.push(id)
  const engine = await createFileEngine({ folder, fn, lookEveryMs: 20, onProblem: (problem) => problems.push(problem) })
  return { folder, engine, problems, executed }
}

describe('a worker in another container', () => {
  // Time stands still, so that no worker becomes silent while a test runs, and each message states the same time.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('that is silent is reported once for all of its runs, and by the health check, and its runs are not taken over', async () => {
    const { folder, engine, problems, executed } = await locked({ a: HOUR, b: HOUR, c: 0 })
    await engine.run('free', 1)
    await expect.poll(() => problems.length).toBe(1)
    const [problem] = problems
    expect(problem?.code).toBe('in_use')
    expect(problem?.message).toMatch(
      /\(other pid:\[1\]\) has 2 runs, such as "[ab]", .* for 36\d\d s\. .* delete its files "\*\.journal\.owner"\.$/,
    )
    expect(await engine.health()).toMatchObject({ ok: true, problem: { code: 'in_use', message: problem?.message } })
    expect(executed).toEqual(['free'])
    // The operator knows that it is dead.
    for (const id of ['a', 'b']) rmSync(join(folder, `${id}.journal.owner`))
    for (const id of ['a', 'b']) await engine.result(id)
    expect(await engine.health()).toEqual({ ok: true })
    expect(existsSync(join(folder, 'c.journal.owner'))).toBe(true)
    await engine.close()
  })

  it('that renews its locks is not reported', async () => {
    const { engine, problems } = await locked({ a: 30_000 })
    await engine.run('free', 1)
    expect(await engine.health()).toEqual({ ok: true })
    expect(problems).toEqual([])
    await engine.close()
  })
})

it('a worker renews the locks of its runs, also while it is being closed', async () => {
  const folder = join(root, String(++count))
  let end: (value: number) => void = () => {}
  const ended = new Promise<number>((resolve) => {
    end = resolve
  })
  const engine = await createFileEngine({ folder, fn: (_: number, { steps }) => steps.run('slow', () => ended) })
  await engine.start('a', 1)
  const lock = join(folder, 'a.journal.owner')
  await expect.poll(async () => (await engine.status('a'))?.state).toBe('running')
  let closed: Promise<void> | undefined
  for (const act of [() => undefined, () => engine.close()]) {
    closed = act()
    utimesSync(lock, 0, 0)
    await expect.poll(() => statSync(lock).mtimeMs).toBeGreaterThan(0)
  }
  end(1)
  await closed
  expect(existsSync(lock)).toBe(false)
})
