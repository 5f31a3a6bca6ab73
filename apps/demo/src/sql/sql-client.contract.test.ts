/** Tests that both databases follow the contract of `SqlClient`. */
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type OpenDatabase, onPostgres, onSqlite } from '../../test/sql/databases.ts'
import { createDatabase } from './database.ts'
import type { SqlClient } from './sql-client.ts'
import { prepareTables, type TableSet } from './table-sets.ts'

const notes: TableSet = {
  name: 'notes',
  version: 1,
  statements: ['CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL, size BIGINT, weight DOUBLE PRECISION)'],
  fill: async (executor) => void (await executor.query("INSERT INTO notes VALUES (1, 'first', 10, 2.5)")),
}

onSqlite(behavesAsAClient)
onPostgres((open, url) => {
  behavesAsAClient(open)
  const place = (schema: string, isTemporary: boolean) => ({ kind: 'postgres' as const, url: url(), schema, isTemporary })

  it('keeps a schema from one database to the next, and drops a temporary one', async () => {
    for (const isTemporary of [false, true]) {
      const kept = place(`kept_${isTemporary}`, isTemporary)
      const first = createDatabase(kept)
      const client = await first.connect(notes)
      await client.query('DELETE FROM notes')
      await first.close()
      expect(await countNotes(await open(kept).connect(notes))).toBe(isTemporary ? 1 : 0)
    }
  })

  it('runs transactions of several clients serializably', async () => {
    const shared = place('shared', false)
    const clients = await Promise.all([open(shared), open(shared), open(shared)].map((database) => database.connect(notes)))
    expect(await countNotes(clients[0] as SqlClient)).toBe(1)
    const addNext = (client: SqlClient) =>
      client.transaction(async (executor) => {
        const [last] = await executor.query<{ id: number }>('SELECT max(id) AS id FROM notes')
        await executor.query('INSERT INTO notes VALUES ($1, $2, 1, 1)', [Number(last?.id) + 1, 'next'])
      })
    await Promise.all([...clients, ...clients].map(addNext))
    expect(await countNotes(clients[0] as SqlClient)).toBe(7)
  })

  it('says in one line what is wrong with a server, without the password', async () => {
    const refused = open({ ...place('x', false), url: 'postgres://demo:secret@127.0.0.1:1/postgres' })
    await expect(refused.connect(notes)).rejects.toMatchObject({
      name: 'SqlError',
      code: 'cannot_open',
      message: 'Cannot use the database postgres at 127.0.0.1:1: the connection was refused.',
    })
    const missing = open({ ...place('x', false), url: url().replace(/postgres$/, 'nowhere') })
    await expect(missing.connect(notes)).rejects.toThrow(/^Cannot use the database nowhere at .*: the database does not exist\.$/)
  })

  it('stays in its schema when the URL has its own options', async () => {
    const address = `${url()}?options=-c%20geqo%3Doff`
    const client = await open({ ...place('apart', true), url: address }).connect(notes)
    expect(await client.query('SHOW geqo')).toEqual([{ geqo: 'off' }])
    expect(await client.query("SELECT schemaname FROM pg_tables WHERE tablename = 'notes' AND schemaname = 'public'")).toEqual([])
    expect(await client.query("SELECT to_regclass('apart.notes')::text AS name")).toEqual([{ name: 'notes' }])
  })

  it('rejects a transaction whose connection is lost, and works again afterwards', async () => {
    const client = await open().connect(notes)
    const lost = client.transaction(async (executor) => {
      const [own] = await executor.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      const isThere = 'SELECT pg_terminate_backend(pid) AS told FROM pg_stat_activity WHERE pid = $1'
      while ((await client.query(isThere, [own?.pid ?? 0])).length > 0);
      await executor.query('SELECT 1')
    })
    await expect(lost).rejects.toMatchObject({ name: 'SqlError' })
    expect(await countNotes(client)).toBe(1)
  })

  it('reports a server that goes away, and works again when it is back', async () => {
    const client = await open().connect(notes)
    await expect(client.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject({ name: 'SqlError' })
    expect(await countNotes(client)).toBe(1)
  })
})

function behavesAsAClient(open: OpenDatabase): void {
  it('returns integers and decimals as numbers, and null', async () => {
    const client = await open().connect(notes)
    const sql =
      'SELECT text, size, weight, size / 4.0 AS part, count(*) AS n, sum(size) AS total, $1 AS absent FROM notes GROUP BY id'
    expect(await client.query(sql, [null])).toEqual([
      { text: 'first', size: 10, weight: 2.5, part: 2.5, n: 1, total: 10, absent: null },
    ])
  })

  it('binds parameters as data, also one that is used twice', async () => {
    const client = await open().connect(notes)
    const text = "'; DROP TABLE notes; --"
    await client.query('INSERT INTO notes (id, text) VALUES ($1, $2)', [7, text])
    const found = await client.query('SELECT id, text FROM notes WHERE text = $1 OR lower(text) = $1', [text])
    expect(found).toEqual([{ id: 7, text }])
  })

  it('rejects an invalid statement', async () => {
    const client = await open().connect(notes)
    await expect(client.query('SELEC 1')).rejects.toMatchObject({ name: 'SqlError', code: 'statement_failed' })
    expect(await countNotes(client)).toBe(1)
  })

  it('commits a transaction or rolls it back', async () => {
    const client = await open().connect(notes)
    const failed = client.transaction(async (executor) => {
      await executor.query("INSERT INTO notes (id, text) VALUES (2, 'second')")
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    await client.transaction((executor) => executor.query("INSERT INTO notes (id, text) VALUES (3, 'third')"))
    expect(await client.query('SELECT id FROM notes ORDER BY id')).toEqual([{ id: 1 }, { id: 3 }])
  })

  it('creates and fills tables once for concurrent callers', async () => {
    const database = open()
    expect(database.isOpen()).toBe(false)
    const clients = await Promise.all([database.connect(notes), database.connect(notes), database.connect({ ...other })])
    expect(database.isOpen()).toBe(true)
    expect(await countNotes(clients[0])).toBe(1)
  })

  it('creates all tables of a set or none', async () => {
    const database = open()
    const broken = { ...other, statements: [...other.statements, 'CREATE TABLE'] }
    await expect(database.connect(broken)).rejects.toMatchObject({ code: 'statement_failed' })
    await expect(database.connect(other)).resolves.toBeDefined()
  })

  it('refuses tables of another version', async () => {
    const client = await open().connect(notes)
    await expect(prepareTables(client, { ...notes, version: 2 })).rejects.toMatchObject({
      code: 'cannot_open',
      message: 'The database has version 1 of "notes", and this demo needs version 2.',
    })
    expect(await countNotes(client)).toBe(1)
  })

  it('aborts an open transaction on close, and commits nothing of it', async () => {
    const database = open()
    const client = await database.connect(notes)
    let closing: Promise<void> | undefined
    const unfinished = client.transaction(async (executor) => {
      await executor.query("INSERT INTO notes (id, text) VALUES (2, 'second')")
      closing = database.close()
      // `close` has begun by now.
      await setImmediate()
      await executor.query("INSERT INTO notes (id, text) VALUES (3, 'third')")
    })
    await expect(unfinished).rejects.toMatchObject({ code: 'closed' })
    await closing
  })

  it('refuses a text with the character NUL', async () => {
    const client = await open().connect(notes)
    await expect(client.query('SELECT text FROM notes WHERE text = $1', ['a\0b'])).rejects.toThrow('a NUL character')
  })

  it('rejects everything once it is closed', async () => {
    const database = open()
    const client = await database.connect(notes)
    await database.close()
    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: 'closed' })
    await expect(client.transaction(async () => 1)).rejects.toMatchObject({ code: 'closed' })
    await client.close()
  })
}

const other: TableSet = { name: 'other', version: 1, statements: ['CREATE TABLE other (id INTEGER)'], fill: async () => {} }

async function countNotes(client: SqlClient): Promise<number | undefined> {
  return (await client.query<{ n: number }>('SELECT count(*) AS n FROM notes'))[0]?.n
}
