import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { failure } from '../../test/database/contract.ts'
import { openPostgres } from '../postgres.ts'
import { openSqlite } from '../sqlite.ts'
import { ownFile } from './file-owner.ts'
import { markOf } from './process-mark.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolset-owner-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('leaves a file to a program of another container, whose processes cannot be seen, and says how to free it', async () => {
  const file = join(folder, 'shared.sqlite')
  const gone = { ...markOf(2 ** 22), place: 'elsewhere pid:[1]' }
  writeFileSync(`${file}.owner`, JSON.stringify(gone))
  const error = await ownFile(file, { waitMs: 0 }).catch((thrown) => thrown)
  expect(error).toMatchObject({ ...failure('busy'), message: expect.stringContaining('remove FILE.owner beside it') })
  expect(error.message).not.toContain(folder)
  expect(existsSync(`${file}.owner`)).toBe(true)
  rmSync(`${file}.owner`)
  const release = await ownFile(file, { waitMs: 0 })
  release.done()
  expect(existsSync(`${file}.owner`)).toBe(false)
})

it('takes a file over from a program of this machine that is gone', async () => {
  const file = join(folder, 'left.sqlite')
  writeFileSync(`${file}.owner`, JSON.stringify({ ...markOf(process.pid), started: '1' }))
  const release = await ownFile(file, { waitMs: 0 })
  release.done()
})

it.each([
  ['waitMs', () => openSqlite({ file: join(folder, 'never.sqlite'), waitMs: 2 ** 31 })],
  ['connectMs', () => openPostgres({ url: 'postgres://nowhere', connectMs: 2 ** 31 })],
  ['maxConnections', () => openPostgres({ url: 'postgres://nowhere', maxConnections: 0 })],
])('refuses a limit that is none: %s', async (name, open) => {
  await expect(open()).rejects.toMatchObject({ code: 'invalid_definition', message: expect.stringContaining(name) })
})
