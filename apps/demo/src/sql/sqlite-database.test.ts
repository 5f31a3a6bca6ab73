import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openSqlite } from './sqlite-client.ts'
import { openSqliteDatabase } from './sqlite-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-database-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Creates a file of the demo with a table of several pages. */
async function makeFile(name: string): Promise<string> {
  const file = join(folder, name)
  const client = await openSqliteDatabase({ file })
  await client.query('CREATE TABLE notes AS SELECT hex(zeroblob(20000)) AS text')
  await client.close()
  return file
}

describe('a file of the demo', () => {
  it('is opened again', async () => {
    const client = await openSqliteDatabase({ file: await makeFile('kept.sqlite') })
    expect(await client.query('SELECT length(text) AS n FROM notes')).toEqual([{ n: 40_000 }])
    await client.close()
  })
})

describe('a file that the demo did not create', () => {
  it('is refused and left as it was when it belongs to another program', async () => {
    const file = join(folder, 'foreign.sqlite')
    const foreign = await openSqlite({ file })
    await foreign.query('CREATE TABLE products (id INTEGER, label TEXT)')
    await foreign.close()
    const bytes = readFileSync(file)
    await expect(openSqliteDatabase({ file })).rejects.toMatchObject({
      name: 'SqlError',
      message: `Cannot open the database ${file}: it belongs to another program; name another file with --db.`,
    })
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it('is refused when another version of the demo created it', async () => {
    const file = await makeFile('later.sqlite')
    const later = await openSqlite({ file })
    await later.query('PRAGMA user_version = 2')
    await later.close()
    await expect(openSqliteDatabase({ file })).rejects.toThrow('it was created by version 2 of the demo, and this is version 1')
  })

  it('is refused when it was truncated', async () => {
    const file = await makeFile('short.sqlite')
    truncateSync(file, 20_000)
    await expect(openSqliteDatabase({ file })).rejects.toThrow('the file is damaged or truncated')
  })
})
