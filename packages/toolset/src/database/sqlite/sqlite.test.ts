import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { BOMB, behavesAsAClient, expectUnchanged, failure, LIMITS, read, SETUP, until } from '../../../test/database/contract.ts'
import { openSqlite, type SqliteOptions } from '../../sqlite.ts'
import type { SqlClient } from '../sql-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolset-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ROUNDS = process.env.X_FULL ? 15 : 5

const clients: SqlClient[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

let files = 0
function newFile(): string {
  const own = join(folder, String(++files))
  mkdirSync(own)
  return join(own, 'test.sqlite')
}

async function open(options: SqliteOptions): Promise<SqlClient> {
  const client = await openSqlite(options)
  clients.push(client)
  return client
}

async function filledFile(): Promise<string> {
  const file = newFile()
  await (await openSqlite({ file, readOnly: false, setup: SETUP })).close()
  return file
}

/** True while a writable client reads or writes the file. */
const isLocked = (file: string) => existsSync(`${file}.lock`)
const namesBeside = (file: string) => readdirSync(join(file, '..')).sort()

describe.each([
  ['sqlite file', newFile()],
  ['sqlite :memory:', ':memory:'],
])('%s', (name, file) => {
  let shared: SqlClient
  beforeAll(async () => {
    shared = await openSqlite({ file, readOnly: false, setup: SETUP })
  })
  afterAll(() => shared.close())
  const endless = file === ':memory:' ? undefined : { sql: BOMB, isRunning: () => isLocked(file) }
  behavesAsAClient({ name, client: () => shared, endless })

  it.each(['PRAGMA query_only=OFF', 'EXPLAIN PRAGMA query_only=OFF', 'PRAGMA writable_schema=ON', 'PRAGMA journal_mode=WAL'])(
    `${name}: stays read-only after %s`,
    async (sql) => {
      await expect(read(shared, sql)).rejects.toMatchObject(failure('statement_not_allowed'))
      for (const attack of ['DELETE FROM t', "UPDATE sqlite_schema SET sql = 'x'"])
        await expect(read(shared, attack)).rejects.toMatchObject({
          reason: expect.stringMatching(/read_only_violation|sql_error/),
        })
      await expectUnchanged(shared)
    },
  )

  it.each(["ATTACH '%' AS m", "VACUUM INTO '%'", "/**/attach '%' as m", 'DETACH main'])(
    `${name}: creates no file for %s`,
    async (sql) => {
      const target = join(folder, `${name}-attached.db`)
      for (const readOnly of [true, false])
        await expect(read(shared, sql.replace('%', target), { readOnly })).rejects.toMatchObject(failure('statement_not_allowed'))
      expect(existsSync(target)).toBe(false)
    },
  )

  it.each([
    'pragma_database_list',
    '"Pragma_Database_List"',
    "'pragma_database_list'",
    '[pragma_database_list]',
    'pragma_database_list()',
  ])(`${name}: does not reveal where its file is: %s`, async (table) => {
    await expect(read(shared, `SELECT * FROM ${table}`)).rejects.toMatchObject(failure('statement_not_allowed'))
  })

  it(`${name}: loads no extension`, async () => {
    await expect(read(shared, "SELECT load_extension('x')")).rejects.toMatchObject(failure('sql_error'))
  })

  it(`binds ?, ?1 and $1, and nothing else (${name})`, async () => {
    expect(await read(shared, 'SELECT ? AS a, ? AS b', { params: ['x', null] })).toMatchObject({ rows: [['x', null]] })
    expect(await read(shared, 'SELECT ?2 AS b, ?1 AS a', { params: [1, true] })).toMatchObject({ rows: [[1, 1]] })
    for (const [sql, words] of [
      ['SELECT :a', 'The parameter :a has no number. Use $1, $2, … instead.'],
      ['SELECT ?, $a', 'The parameter $a has no number. Use $1, $2, … instead.'],
      ['SELECT ?, $1', 'The statement mixes ? with $1. Use $1, $2, … for all parameters.'],
      ['SELECT $1, $2', 'The statement has 2 parameters, but params has 1 values.'],
    ] as const)
      await expect(read(shared, sql, { params: [1] })).rejects.toMatchObject({ ...failure('sql_error'), message: words })
    await expect(read(shared, 'SELECT $1', { params: ['a\0b'] })).rejects.toMatchObject(failure('sql_error'))
  })
})

it('counts the rows of a statement without those of its triggers, foreign keys and indexes, as PostgreSQL does', async () => {
  const client = await open({
    file: ':memory:',
    setup: `${SETUP}; CREATE TABLE log (label TEXT); CREATE VIRTUAL TABLE pages USING fts5(text);
      CREATE TRIGGER logged AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.label); END;
      CREATE TABLE parts (id INTEGER REFERENCES t(id) ON DELETE CASCADE); INSERT INTO parts VALUES (1), (1)`,
  })
  const write = (sql: string) => read(client, sql, { readOnly: false })
  expect(await write('UPDATE t SET label = upper(label)')).toMatchObject({ changes: 3 })
  expect(await write("INSERT INTO pages VALUES ('one'), ('two')")).toMatchObject({ changes: 2 })
  expect(await write('DELETE FROM t WHERE id = 1')).toMatchObject({ changes: 1 })
  expect(await write('DELETE FROM t WHERE id = 1')).toMatchObject({ changes: 0 })
  expect(await write('CREATE TABLE copy AS SELECT * FROM t')).toMatchObject({ changes: 0 })
})

describe('a read-only file', () => {
  it('leaves no file beside it, and takes no lock while it is read', async () => {
    const file = await filledFile()
    const client = await open({ file })
    const slow = read(client, 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c', {
      timeoutMs: 300,
    })
    await expect(slow).rejects.toMatchObject(failure('timeout'))
    expect(namesBeside(file)).toEqual(['test.sqlite'])
    await expectUnchanged(client)
    await expect(read(client, 'DELETE FROM t', { readOnly: false })).rejects.toMatchObject(failure('read_only_violation'))
    await expectUnchanged(client)
  })

  it('can be in a folder without write permission', async () => {
    const file = await filledFile()
    chmodSync(file, 0o444)
    chmodSync(join(file, '..'), 0o555)
    await expectUnchanged(await open({ file }))
    chmodSync(join(file, '..'), 0o755)
    expect(namesBeside(file)).toEqual(['test.sqlite'])
  })

  it('shows what another client has written meanwhile', async () => {
    const file = await filledFile()
    const reader = await open({ file })
    await expectUnchanged(reader)
    const writer = await open({ file, readOnly: false })
    await writer.run({ sql: "INSERT INTO t VALUES (4, 'four')", ...LIMITS, readOnly: false })
    expect(await read(reader, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[4]] })
  })

  it('is read again after another file was renamed to its name, and reported while it is missing', async () => {
    const file = await filledFile()
    const reader = await open({ file })
    await expectUnchanged(reader)
    const text = newFile()
    writeFileSync(text, 'x'.repeat(200))
    renameSync(text, file)
    await expect(read(reader, 'SELECT 1 FROM t')).rejects.toMatchObject(failure('cannot_connect'))
    rmSync(file)
    const missing = await read(reader, 'SELECT 1 FROM t').catch((thrown) => thrown)
    expect(missing).toMatchObject({ ...failure('cannot_connect'), message: expect.stringContaining('does not exist') })
    expect(missing.message).not.toContain(folder)
    const next = newFile()
    await (await openSqlite({ file: next, readOnly: false, setup: `${SETUP}, (4, 'four')` })).close()
    renameSync(next, file)
    expect(await read(reader, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[4]] })
  })

  it('never shows a partial write of another client', async () => {
    const file = newFile()
    const rows =
      'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000) SELECT 0, hex(randomblob(500)) FROM c'
    const fill = `CREATE TABLE n (v INTEGER, filler TEXT); INSERT INTO n ${rows}`
    const writer = await open({ file, readOnly: false, setup: fill })
    const reader = await open({ file })
    let isWriting = true
    const writing = (async () => {
      for (let round = 1; round <= ROUNDS; round++) await read(writer, `UPDATE n SET v = ${round}`, { readOnly: false })
      isWriting = false
    })()
    let seen = 0
    while (isWriting) {
      const found = await read(reader, 'SELECT count(DISTINCT v), count(*) FROM n').catch((error) => error)
      if (found instanceof Error) expect(found).toMatchObject(failure('busy'))
      else expect(found.rows).toEqual([[1, 3000]])
      seen++
    }
    await writing
    expect(seen).toBeGreaterThan(0)
    expect(await read(reader, 'SELECT DISTINCT v FROM n')).toMatchObject({ rows: [[ROUNDS]] })
  })

  it('waits while a writer has the lock, and then reports busy', async () => {
    const file = await filledFile()
    const client = await open({ file, waitMs: 100 })
    mkdirSync(`${file}.lock`)
    await expect(read(client, 'SELECT * FROM t')).rejects.toMatchObject({ ...failure('busy'), retryable: true })
    expect(isLocked(file)).toBe(true)
  })

  it.each([
    ['no file', () => join(folder, 'nowhere.sqlite'), /it does not exist; to create it, pass readOnly: false/],
    ['a folder', () => folder, /not a regular file/],
    [
      'no database',
      () => {
        const file = newFile()
        writeFileSync(file, 'some text that is longer than the header of a database, which has a hundred bytes at its beginning')
        return file
      },
      /it is not an SQLite database/,
    ],
  ])('is reported without its path if it is %s', async (_, place, words) => {
    const error = await openSqlite({ file: place() }).catch((thrown) => thrown)
    expect(error).toMatchObject({ ...failure('cannot_connect'), message: expect.stringMatching(words) })
    expect(error.message).not.toContain(folder)
  })

  it('is reported with a fix if it is a database in WAL mode, which the package cannot open', async () => {
    const file = await filledFile()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(2, 18, 20))
    for (const readOnly of [true, false])
      await expect(openSqlite({ file, readOnly })).rejects.toMatchObject({
        reason: 'cannot_connect',
        message: expect.stringContaining('WAL'),
      })
  })

  it('does not accept a setup, which would write', async () => {
    await expect(openSqlite({ file: 'x', setup: SETUP })).rejects.toMatchObject({ code: 'invalid_definition' })
    await expect(
      openSqlite({ file: ':memory:', readOnly: true, setup: SETUP }).then((client) => clients.push(client)),
    ).resolves.toBe(1)
    await expectUnchanged(clients[0] as SqlClient)
    await expect(read(clients[0] as SqlClient, 'DELETE FROM t', { readOnly: false })).rejects.toMatchObject(
      failure('read_only_violation'),
    )
  })
})

describe('a writable file', () => {
  it('is created with its folder, belongs to one client, and is left clean', async () => {
    const file = join(newFile(), 'below', 'test.sqlite')
    const client = await open({ file, readOnly: false, setup: SETUP })
    expect(namesBeside(file)).toEqual(['test.sqlite', 'test.sqlite.owner'])
    await expect(openSqlite({ file, readOnly: false })).rejects.toMatchObject(failure('busy'))
    const link = `${newFile()}-link`
    symlinkSync(file, link)
    await expect(openSqlite({ file: link, readOnly: false })).rejects.toMatchObject(failure('busy'))
    await client.close()
    await client.close()
    expect(namesBeside(file)).toEqual(['test.sqlite'])
    await expect(read(client, 'SELECT 1')).rejects.toMatchObject(failure('closed'))
  })

  it('stops and rolls back running statements when it is closed', async () => {
    const file = await filledFile()
    const client = await openSqlite({ file, readOnly: false })
    const sql = 'WITH RECURSIVE c(n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM c) INSERT INTO t SELECT n, n FROM c'
    const running = read(client, sql, { readOnly: false }).catch((error) => error)
    await until(() => isLocked(file))
    await client.close()
    expect(await running).toMatchObject(failure('closed'))
    expect(isLocked(file)).toBe(false)
    await expectUnchanged(await open({ file, readOnly: false }))
  })

  it('opens after its owner was killed in the middle of a commit, without the partial write', async () => {
    const file = newFile()
    const sqlite = createRequire(import.meta.url).resolve('node-sqlite3-wasm')
    const killed = spawnSync(process.execPath, ['-e', DIE_IN_COMMIT, sqlite, file], { encoding: 'utf8' })
    expect(killed.signal, killed.stderr).toBe('SIGKILL')
    writeFileSync(`${file}.owner`, JSON.stringify({ pid: killed.pid, started: '1' }))
    const before = readFileSync(file)
    const opening = openSqlite({ file, waitMs: 100 })
    await expect(opening).rejects.toMatchObject({ reason: expect.stringMatching(/busy|cannot_connect/) })
    expect(readFileSync(file).equals(before)).toBe(true)
    const client = await open({ file, readOnly: false })
    const sql = "SELECT count(*), sum(text = 'changed') FROM notes"
    expect(await read(client, sql)).toMatchObject({ rows: [[2000, 0]] })
    expect(isLocked(file)).toBe(false)
  })
})

describe('a database in memory', () => {
  it('may take long to open, as on a busy machine', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const opening = open({ file: ':memory:' }).finally(() => void vi.useRealTimers())
    await vi.advanceTimersByTimeAsync(100_000)
    expect(await read(await opening, 'SELECT 1')).toMatchObject({ rows: [[1]] })
  })

  it('sqlite in memory: stops in time, and is then reported as lost', async () => {
    const client = await open({ file: ':memory:', setup: SETUP })
    const sql =
      'SELECT count(*) FROM t a, t b, t c, t d, t e, t f, t g, t h, t i, t j, t k, t l, t m, t n, t o, t p, t q, t r, t s, t u'
    await read(client, 'SELECT 1')
    await expect(read(client, sql, { timeoutMs: 300 })).rejects.toMatchObject(failure('timeout'))
    await expect(read(client, 'SELECT 1')).rejects.toMatchObject({
      ...failure('closed'),
      message: expect.stringContaining('lost'),
    })
  })
})

/** A script that fills a table, and kills itself after some pages of an update have been written to the file. */
const DIE_IN_COMMIT = `
const fs = require('node:fs')
const [, sqlite, file] = process.argv
const db = new (require(sqlite).Database)(file)
db.exec('CREATE TABLE notes (text TEXT)')
const count = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)'
db.run(count + 'INSERT INTO notes SELECT ? FROM c', ['row '.repeat(50)])
db.exec('BEGIN')
db.run("UPDATE notes SET text = 'changed'")
const write = fs.writeSync
const { ino } = fs.statSync(file)
let pages = 0
fs.writeSync = (...args) => {
  const written = write(...args)
  if (fs.fstatSync(args[0]).ino === ino && ++pages > 20) process.kill(process.pid, 'SIGKILL')
  return written
}
db.exec('COMMIT')`
