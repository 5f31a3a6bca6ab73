import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { quoted, toCommandLine } from './command-line.ts'
import { openEngine } from './open-engine.ts'
import { newRunId } from './run-data.ts'

const folder = mkdtempSync(join(tmpdir(), 'demo-engine-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('an engine', () => {
  it('reports what is missing in the environment', async () => {
    await expect(openEngine('dbos', { folder, environment: {} })).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('Set DATABASE_URL'),
    })
    const environment = { RESTATE_WORKER_PORT: '80a' }
    await expect(openEngine('restate', { folder, environment })).rejects.toThrow('RESTATE_WORKER_PORT must be the port')
  })

  it('explains what to do when it cannot be used', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    await expect(openEngine('file', { folder: file, environment: {} })).rejects.toMatchObject({
      code: 'cannot_open',
      message: expect.stringMatching(/Cannot create the run folder .*Set X_RUNS to use another directory\.$/),
    })
  })
})

describe('the id of a run', () => {
  it('starts with the first words of the request, and differs each time', () => {
    expect(newRunId('Pay 86.40 dollars')).toMatch(/^pay-86-40-[a-z0-9]{8}$/)
    expect(newRunId('…')).toMatch(/^[a-z0-9]{8}$/)
    expect(newRunId('Pay')).not.toBe(newRunId('Pay'))
  })
})

describe('a command line to resume', () => {
  it('names the engine and the database when they are not the defaults', () => {
    expect(toCommandLine({ kind: 'file' })('runs')).toBe('npm run demo -- runs')
    expect(toCommandLine({ kind: 'dbos', database: 'my shop.sqlite' })('runs resume a')).toBe(
      "npm run demo -- runs resume a --durable dbos --db 'my shop.sqlite'",
    )
  })

  it('is parsed by a shell into the same words', () => {
    expect(quoted(`{"note":"it's"}`)).toBe(`'{"note":"it'\\''s"}'`)
    expect(quoted('$(reboot)')).toBe("'$(reboot)'")
  })
})
