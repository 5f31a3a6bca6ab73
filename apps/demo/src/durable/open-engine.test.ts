import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { quoted, toCommandLine } from './command-line.ts'
import { openEngine } from './open-engine.ts'
import { newRunId } from './run-id.ts'

const folder = mkdtempSync(join(tmpdir(), 'demo-engine-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('an engine', () => {
  it('says what is missing in the environment', async () => {
    await expect(openEngine('dbos', { folder, environment: {} })).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('set DATABASE_URL'),
    })
    const environment = { RESTATE_WORKER_PORT: '80a' }
    await expect(openEngine('restate', { folder, environment })).rejects.toThrow('RESTATE_WORKER_PORT is no port: "80a".')
  })

  it('says what to do when it cannot be used', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    await expect(openEngine('file', { folder: file, environment: {} })).rejects.toMatchObject({
      code: 'cannot_open',
      message: expect.stringMatching(/cannot be created .*X_RUNS names another folder\.$/),
    })
  })
})

describe('the id of a run', () => {
  it('begins with the first words of the request, and is another one each time', () => {
    expect(newRunId('Pay 86.40 dollars')).toMatch(/^pay-86-40-[a-z0-9]{8}$/)
    expect(newRunId('…')).toMatch(/^[a-z0-9]{8}$/)
    expect(newRunId('Pay')).not.toBe(newRunId('Pay'))
  })
})

describe('a command line that goes on', () => {
  it('names the engine and the database where they are not the usual ones', () => {
    expect(toCommandLine({ kind: 'file' })('runs')).toBe('npm run demo -- runs')
    expect(toCommandLine({ kind: 'dbos', database: 'my shop.sqlite' })('runs resume a')).toBe(
      "npm run demo -- runs resume a --durable dbos --db 'my shop.sqlite'",
    )
  })

  it('is what a shell takes for the same words', () => {
    expect(quoted(`{"note":"it's"}`)).toBe(`'{"note":"it'\\''s"}'`)
    expect(quoted('$(reboot)')).toBe("'$(reboot)'")
  })
})
