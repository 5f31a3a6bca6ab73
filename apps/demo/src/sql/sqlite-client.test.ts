import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { SqlClient } from './sql-client.ts'
import { openSqlite, type SqliteOptions } from './sqlite-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'sqlite-client-'))
const clients: SqlClient[] = []
let files = 0

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const newFile = () => join(folder, `${++files}`, 'test.sqlite')

async function open(file: string, options: Partial<SqliteOptions> = {}): Promise<SqlClient> {
  const client = await openSqlite({ file, ...options })
  clients.push(client)
  return client
}

const countRows = async (client: SqlClient) => (await client.query<{ n: number }>('SELECT count(*) AS n FROM notes'))[0]?.n

describe('a client', () => {
  it('binds parameters, even one that is used twice', async () => {
    const client = await open(':memory:')
    const text = `'; DROP TABLE notes; --`
    expect(await client.query('SELECT $1 AS a, $2 AS b, $1 AS c', [text, 2.5])).toEqual([{ a: text, b: 2.5, c: text }])
    await expect(client.query('SELEC 1')).rejects.toMatchObject({ name: 'SqlError', code: 'statement_failed' })
  })

  it('commits a transaction, or rolls it back, and lets no other statement in between', async () => {
    const client = await open(':memory:')
    await client.query('CREATE TABLE notes (text TEXT)')
    const failed = client.transaction(async (executor) => {
      await executor.query("INSERT INTO notes VALUES ('a')")
      throw new Error('no')
    })
    const outside = client.query("INSERT INTO notes VALUES ('b')")
    await expect(failed).rejects.toThrow('no')
    await outside
    expect(await client.query('SELECT * FROM notes')).toEqual([{ text: 'b' }])
    await client.transaction((executor) => executor.query("INSERT INTO notes VALUES ('c')"))
    expect(await countRows(client)).toBe(2)
  })

  it('rejects pending and later statements when it is closed', async () => {
    const client = await open(newFile())
    const waiting = client.query('SELECT 1')
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'closed' }), client.close()])
    await expect(client.transaction(async () => 1)).rejects.toMatchObject({ code: 'closed' })
    await client.close()
  })

  it('rejects instead of waiting for a worker that crashed', async () => {
    const script = `
      import { parentPort } from 'node:worker_threads'
      parentPort.postMessage({ id: 0, ok: true, rows: [] })
      parentPort.on('message', () => { throw new Error('out of memory') })`
    const client = await open(':memory:', { workerUrl: new URL(`data:text/javascript,${encodeURIComponent(script)}`) })
    const settled = await Promise.allSettled([client.query('SELECT 1'), client.query('SELECT 2')])
    const errors = settled.map((result) => (result.status === 'rejected' ? String(result.reason) : ''))
    expect(errors).toEqual(Array(2).fill("SqlError: The database's worker failed: out of memory"))
  })
})

describe('a database file', () => {
  it('is created with its folders and read again by the next client', async () => {
    const file = newFile()
    const first = await open(file)
    await first.query('CREATE TABLE notes (text TEXT)')
    await first.close()
    expect(readdirSync(join(file, '..'))).toEqual(['test.sqlite'])
    expect(await countRows(await open(file))).toBe(0)
  })

  it('is refused in one line when it is not a database', async () => {
    const file = newFile()
    mkdirSync(join(file, '..'))
    writeFileSync(file, 'This is a letter, and long enough to be read as the header of a database. '.repeat(20))
    await expect(open(file)).rejects.toMatchObject({
      code: 'cannot_open',
      message: expect.stringMatching(/^Cannot open .*test\.sqlite: it is not an SQLite database\.$/),
    })
    await expect(open(join(file, '..'))).rejects.toThrow(/: it is a directory\.$/)
    await expect(open(join(file, 'below'))).rejects.toThrow(/: a part of its path is a file, not a directory\.$/)
    expect(readdirSync(join(file, '..'))).toEqual(['test.sqlite'])
  })

  it('belongs to one live process at a time', async () => {
    const file = newFile()
    await open(file)
    await expect(open(file)).rejects.toThrow('test.sqlite is in use by this process. Wait until it is released')
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(other, 'spawn')
    const taken = newFile()
    mkdirSync(join(taken, '..'))
    writeFileSync(`${taken}.owner`, JSON.stringify({ pid: other.pid, started: null }))
    await expect(open(taken, { waitMs: 100 })).rejects.toMatchObject({
      code: 'in_use',
      message: expect.stringContaining(`process ${other.pid}`),
    })
    const waiting = open(taken, { waitMs: 120_000 })
    other.kill('SIGKILL')
    await once(other, 'exit')
    await waiting
  })

  it('opens after its owner was killed during a commit, without the partial write', async () => {
    const file = newFile()
    mkdirSync(join(file, '..'))
    const sqlite = createRequire(import.meta.url).resolve('node-sqlite3-wasm')
    const killed = spawnSync(process.execPath, ['-e', DIE_IN_COMMIT, sqlite, file], { encoding: 'utf8' })
    expect(killed.signal, killed.stderr).toBe('SIGKILL')
    writeFileSync(`${file}.owner`, JSON.stringify({ pid: killed.pid, started: '1' }))
    expect(readdirSync(join(file, '..')).sort()).toEqual([
      'test.sqlite',
      'test.sqlite-journal',
      'test.sqlite.lock',
      'test.sqlite.owner',
    ])
    const client = await open(file)
    expect(await countRows(client)).toBe(2000)
    expect(await client.query("SELECT count(*) AS n FROM notes WHERE text = 'changed'")).toEqual([{ n: 0 }])
    await client.query('DELETE FROM notes')
    await client.close()
    expect(existsSync(`${file}.lock`)).toBe(false)
    expect(await countRows(await open(file))).toBe(0)
  })
})

/** Fills a table, then kills itself after some pages of an update have been written to the file. */
const DIE_IN_COMMIT = `
const fs = require('node:fs')
const [, sqlite, file] = process.argv
const db = new (require(sqlite).Database)(file)
db.exec('CREATE TABLE notes (text TEXT); BEGIN')
for (let i = 0; i < 2000; i++) db.run('INSERT INTO notes VALUES (?)', ['row '.repeat(50)])
db.exec('COMMIT; BEGIN')
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
