/** Tests files that don't belong in the folder of the runs. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { DurableError } from '../errors.ts'
import { createFileEngine } from './file-engine.ts'

const root = mkdtempSync(join(tmpdir(), 'odd-files-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0

const KINDS: readonly { readonly kind: string; make(path: string): void }[] = [
  { kind: 'a pipe', make: (path) => execFileSync('mkfifo', [path]) },
  { kind: 'a link to a device', make: (path) => symlinkSync('/dev/zero', path) },
  { kind: 'a link to nothing', make: (path) => symlinkSync(join(root, 'made'), path) },
  { kind: 'a link to another journal', make: (path) => symlinkSync('good.journal', path) },
  { kind: 'a directory', make: (path) => mkdirSync(path) },
]

const NO_RUNS = { queued: 0, running: 0, waiting: 0, held: 0, oldestQueuedMs: 0 }

async function opened(name: string, make: (path: string) => void) {
  const folder = join(root, String(++count))
  for (const part of ['', 'waiting', 'ended', 'orders']) mkdirSync(join(folder, part))
  make(join(folder, name))
  const problems: DurableError[] = []
  const onProblem = (problem: DurableError) => problems.push(problem)
  const engine = await createFileEngine({ folder, fn: async (input: number) => input, lookEveryMs: 20, onProblem })
  return { folder, engine, problems }
}

describe.skipIf(process.platform === 'win32').each(KINDS)('$kind in the folder of the runs', ({ make }) => {
  it.each(['', 'waiting/', 'ended/'])('does not affect other runs and is refused as a journal: in "%s"', async (place) => {
    const { engine, problems } = await opened(`${place}evil.journal`, make)
    expect(await engine.run('good', 1)).toBe(1)
    expect((await engine.list()).map(({ id }) => id)).toEqual(['good'])
    const refused = { code: 'not_a_journal', message: expect.not.stringContaining(root) }
    await expect(engine.status('evil')).rejects.toMatchObject(refused)
    await expect(engine.run('evil', 1)).rejects.toMatchObject(refused)
    await engine.close()
    for (const problem of problems) expect(problem).toMatchObject(refused)
    expect(existsSync(join(root, 'made'))).toBe(false)
  })

  it('is reported once when workers find it', async () => {
    const { engine, problems } = await opened('evil.journal', make)
    await expect.poll(() => problems.length).toBe(1)
    for (let run = 0; run < 5; run++) await engine.run(`good-${run}`, 1)
    expect(problems.length).toBe(1)
    await engine.close()
  })

  it.each(['', 'waiting/'])('is not counted as a run, and is reported once: in "%s"', async (place) => {
    const { folder, engine } = await opened(`${place}evil.journal`, make)
    await engine.close()
    const problems: DurableError[] = []
    await using client = await createFileEngine({ folder, onProblem: (problem) => problems.push(problem) })
    for (let looks = 0; looks < 2; looks++) expect(await client.stats()).toEqual(NO_RUNS)
    expect(problems).toMatchObject([{ code: 'not_a_journal' }])
  })

  it('is not read as an order, and is reported once', async () => {
    const { folder, engine, problems } = await opened('orders/evil.order', make)
    await expect.poll(() => problems.length).toBe(1)
    expect(problems[0]).toMatchObject({ code: 'cannot_open', message: expect.not.stringContaining(root) })
    await engine.start('good', 1)
    await using client = await createFileEngine<number, number>({ folder, lookEveryMs: 20 })
    expect(await client.result('good')).toBe(1)
    expect(problems.length).toBe(1)
    await engine.close()
  })

  it.each(['evil.journal.owner', 'evil.journal.owner.takeover'])('is not an owner: %s', async (name) => {
    const { engine } = await opened(name, make)
    expect(await engine.run('good', 1)).toBe(1)
    const started = engine.run('evil', 1)
    if (name.endsWith('.owner')) await expect(started).rejects.toMatchObject({ code: 'cannot_open' })
    else expect(await started).toBe(1)
    await engine.close()
  })
})

it.skipIf(process.platform === 'win32').each(['waiting', 'ended', 'orders'])(
  'a link to another directory instead of "%s" is refused, and the files in that directory are left alone',
  async (part) => {
    const folder = join(root, String(++count))
    const other = `${folder}-other`
    for (const path of [folder, other]) mkdirSync(path)
    writeFileSync(join(other, 'mine.order'), 'This is not an order.')
    symlinkSync(other, join(folder, part))
    const refused = { code: 'cannot_open', message: `"${part}" in the run folder is a link. Replace it with a directory.` }
    await expect(createFileEngine({ folder, fn: async () => 1, lookEveryMs: 20 })).rejects.toMatchObject(refused)
    expect(readdirSync(other)).toEqual(['mine.order'])
  },
)
