/** Tests the counts of runs whose journals are damaged or in the wrong folder. */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { DurableRun } from '../engine/engine.ts'
import { DurableError } from '../errors.ts'
import { createFileEngine } from './file-engine.ts'
import { FIRST_LINE } from './journal/record.ts'
import { RunFolder } from './run-folder.ts'
import { RunStore } from './run-store.ts'
import { Stats } from './stats.ts'

const root = mkdtempSync(join(tmpdir(), 'stats-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
const NONE = { queued: 0, running: 0, waiting: 0, held: 0, oldestQueuedMs: 0 }

/** A folder with an ended run, a waiting one and a queued one. */
async function stored() {
  const folder = join(root, String(++count))
  {
    const fn = async (input: string, { steps }: DurableRun) => (input === 'waits' ? await steps.wait('go') : input)
    await using engine = await createFileEngine({ folder, fn, lookEveryMs: 20 })
    await engine.run('ended', 'ends')
    await engine.start('waiting', 'waits')
    await expect.poll(async () => (await engine.status('waiting'))?.state).toBe('waiting')
  }
  const problems: DurableError[] = []
  const client = await createFileEngine<string, unknown>({ folder, onProblem: (problem) => problems.push(problem) })
  await client.start('queued', 'ends')
  return { folder, client, problems }
}

function damage(path: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace('"input"', '"inputs"'))
}

describe('the counts of a file engine', () => {
  it('leave out damaged journals, which are reported once, as list does', async () => {
    const { folder, client, problems } = await stored()
    expect(await client.stats()).toMatchObject({ ...NONE, queued: 1, waiting: 1, oldestQueuedMs: expect.any(Number) })
    damage(join(folder, 'queued.journal'))
    damage(join(folder, 'waiting/waiting.journal'))
    for (let looks = 0; looks < 2; looks++) expect(await client.stats()).toEqual(NONE)
    expect(problems).toMatchObject([{ code: 'broken' }, { code: 'broken' }])
    expect((await client.list()).map(({ id }) => id)).toEqual(['ended'])
    await client.close()
  })

  it('are those of list if a killed process has left journals in the wrong folder, or one without a start', async () => {
    const { folder, client } = await stored()
    for (const id of ['waiting', 'ended']) renameSync(join(folder, id, `${id}.journal`), join(folder, `${id}.journal`))
    writeFileSync(join(folder, 'new.journal'), FIRST_LINE)
    const { queued, waiting } = await client.stats()
    expect({ queued, waiting }).toEqual({ queued: 1, waiting: 1 })
    await client.close()
  })

  it('contain a journal that cannot be read at the moment, and read it again later', async () => {
    const { folder, client } = await stored()
    await client.close()
    const problems: unknown[] = []
    const store = new RunStore(await RunFolder.open(folder), true, (problem) => problems.push(problem))
    const stats = new Stats(store)
    const read = vi.spyOn(store.folder, 'read').mockRejectedValue(new DurableError('cannot_open', 'No room (EMFILE).'))
    expect(await stats.read()).toMatchObject({ queued: 1, waiting: 1 })
    read.mockRestore()
    damage(join(folder, 'waiting/waiting.journal'))
    expect(await stats.read()).toMatchObject({ queued: 1, waiting: 0 })
    expect(problems).toMatchObject([{ code: 'cannot_open' }, { code: 'cannot_open' }, { code: 'broken' }])
  })
})
