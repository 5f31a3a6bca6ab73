/** How the embedded databases behave when their worker is terminated, shown with SQLite. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { expectUnchanged, failure, read, SETUP } from '../../../test/database/contract.ts'
import { openSqlite } from '../../sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolset-worker-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ENDLESS = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c'

let files = 0
async function openFile() {
  const file = join(folder, `${++files}.sqlite`)
  return { file, client: await openSqlite({ file, readOnly: false, setup: SETUP }) }
}

describe('a terminated worker', () => {
  it('sqlite file: is replaced for the next statement after a row that is far too large', async () => {
    const { client } = await openFile()
    await expect(read(client, 'SELECT hex(zeroblob(40000000))')).rejects.toMatchObject(failure('too_large'))
    await expectUnchanged(client)
    await client.close()
  })

  it('is replaced after a statement that used much memory, even if the statement succeeded', async () => {
    const { client } = await openFile()
    const id = 'SELECT last_insert_rowid()'
    await read(client, "INSERT INTO t VALUES (4, 'four')", { readOnly: false })
    expect(await read(client, id, { readOnly: false })).toMatchObject({ rows: [[4]] })
    expect(await read(client, 'SELECT length(hex(zeroblob(80000000)))')).toMatchObject({ rows: [[160_000_000]] })
    // A new connection hasn't inserted any row yet.
    expect(await read(client, id, { readOnly: false })).toMatchObject({ rows: [[0]] })
    await client.close()
  })

  it('runs nothing after a close, not even statements that wait behind a stopped one', async () => {
    const { file, client } = await openFile()
    const slow = read(client, ENDLESS, { timeoutMs: 300 }).catch((error) => error)
    const queued = read(client, "INSERT INTO t VALUES (4, 'four')", { readOnly: false }).catch((error) => error)
    expect(await slow).toMatchObject(failure('timeout'))
    await client.close()
    expect(existsSync(`${file}.owner`)).toBe(false)
    expect(await queued).toMatchObject(failure('closed'))
    const again = await openSqlite({ file })
    await expectUnchanged(again)
    await again.close()
  })

  it('sqlite file: rejects an aborted call that waits until the database is open again', async () => {
    const { client } = await openFile()
    const caller = new AbortController()
    const slow = read(client, ENDLESS, { timeoutMs: 200 }).catch((error) => {
      // By now, the next statement has started to open the database again.
      setImmediate(() => caller.abort())
      return error
    })
    const queued = read(client, ENDLESS, { signal: caller.signal }).catch((error) => error)
    expect(await slow).toMatchObject(failure('timeout'))
    expect(await queued).toMatchObject({ code: 'aborted' })
    await expectUnchanged(client)
    await client.close()
  })
})
