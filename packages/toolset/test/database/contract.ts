/** The common contract of all databases, without any check of the text: read-only, one statement, one transaction, limits. */
import { expect, it, vi } from 'vitest'
import type { SqlClient, SqlResult, SqlStatement } from '../../src/database/sql-client.ts'

export interface ContractOptions {
  /** Prefix of the test names: `sqlite`. */
  readonly name: string
  /** The client for all tests. Its table `t` has rows 1, 2 and 3 in the columns `id` and `label`. */
  readonly client: () => SqlClient
  /** An endless statement, for a database that survives a stopped statement. */
  readonly endless?: Endless | undefined
}

/** An endless statement, and how to observe it while it runs. */
export interface Endless {
  readonly sql: string
  isRunning(): boolean | Promise<boolean>
}

export const SETUP = `CREATE TABLE t (id INTEGER PRIMARY KEY, label TEXT NOT NULL);
INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three')`

/** Long limits, because statements may have to wait on a busy machine. */
export const LIMITS = { readOnly: true, maxRows: 100, maxBytes: 100_000, timeoutMs: 100_000 } as const

export function read(client: SqlClient, sql: string, options: Partial<SqlStatement> = {}): Promise<SqlResult> {
  return client.run({ sql, ...LIMITS, ...options })
}

export function failure(reason: string) {
  return { name: 'ToolError', code: 'execution_failed', reason }
}

/** Checks the rows of `t`, which no attack may change. */
export async function expectUnchanged(client: SqlClient): Promise<void> {
  const { rows } = await read(client, 'SELECT id, label FROM t ORDER BY id')
  expect(rows).toEqual([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
  ])
}

/** Polls until a condition is true, for as long as a test may take. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(isSo, { timeout: 150_000, interval: 10 })
}

/** Writes that are hidden as an attack would hide them. A database that lacks one of these verbs must refuse it too. */
const WRITES = [
  'DELETE FROM t',
  'WITH x AS (SELECT 1) DELETE FROM t',
  '/* SELECT */ DELETE FROM t',
  '-- SELECT\nUPDATE t SET label = NULL',
  'EXPLAIN ANALYZE DELETE FROM t',
  'WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d',
  "REPLACE INTO t VALUES (1, 'x')",
  "INSERT INTO t VALUES (9, 'nine') RETURNING id",
  'DROP TABLE t',
  'CREATE TABLE u (id INTEGER)',
  'CREATE TABLE u AS SELECT * FROM t',
  'ALTER TABLE t RENAME TO u',
]

export const BOMB = 'WITH RECURSIVE c(n) AS (SELECT id FROM t UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c'
const MILLION = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000000) SELECT n FROM c'

export function behavesAsAClient({ name, client, endless }: ContractOptions): void {
  it.each(WRITES)(`${name}: the connection itself refuses %j`, async (sql) => {
    await expect(read(client(), sql)).rejects.toMatchObject({
      code: 'execution_failed',
      reason: expect.stringMatching(/^(read_only_violation|sql_error)$/),
    })
    await expectUnchanged(client())
    await expect(read(client(), 'SELECT * FROM u')).rejects.toMatchObject(failure('unknown_identifier'))
  })

  it.each(['DELETE FROM t', 'WITH x AS (SELECT 1) DELETE FROM t', 'DROP TABLE t'])(
    `${name}: reports a read-only violation: %s`,
    async (sql) => {
      await expect(read(client(), sql)).rejects.toMatchObject(failure('read_only_violation'))
    },
  )

  it.each(['COMMIT; DROP TABLE t', 'SELECT 1; DELETE FROM t', 'SET TRANSACTION READ WRITE; DELETE FROM t; COMMIT'])(
    `${name}: accepts only one statement, so not %j`,
    async (sql) => {
      await expect(read(client(), sql)).rejects.toMatchObject(failure('multi_statement'))
      await expectUnchanged(client())
    },
  )

  it.each(['COMMIT', 'ROLLBACK', 'END', 'SET TRANSACTION READ WRITE', 'BEGIN', 'SAVEPOINT a', 'RELEASE a', 'SELECT 1'])(
    `${name}: keeps the next call read-only after %s`,
    async (sql) => {
      const first = await read(client(), sql).then(
        () => 'accepted',
        (error) => error.reason,
      )
      if (/COMMIT|ROLLBACK|END|SET/.test(sql)) expect(first).toMatch(/^(statement_not_allowed|sql_error)$/)
      await expect(read(client(), 'DELETE FROM t')).rejects.toMatchObject(failure('read_only_violation'))
      await expectUnchanged(client())
    },
  )

  it(`${name}: binds values, and matches them literally`, async () => {
    const text = "' OR 1=1 --"
    expect(await read(client(), 'SELECT id FROM t WHERE label = $1', { params: [text] })).toMatchObject({ rows: [] })
    expect(await read(client(), 'SELECT $2 AS b, $1 AS a', { params: [text, 'two'] })).toMatchObject({ rows: [['two', text]] })
  })

  it.each([[[]], [['a', 'b']]])(`${name}: refuses a wrong number of params: %j`, async (params) => {
    await expect(read(client(), 'SELECT id FROM t WHERE label = $1', { params })).rejects.toMatchObject(failure('sql_error'))
  })

  it(`${name}: stops after maxRows`, async () => {
    expect(await read(client(), MILLION, { maxRows: 3 })).toEqual({ columns: ['n'], rows: [[1], [2], [3]], truncated: true })
    expect(await read(client(), 'SELECT id FROM t ORDER BY id', { maxRows: 3 })).toMatchObject({ truncated: false })
    expect(await read(client(), MILLION, { maxRows: 250 })).toMatchObject({ rows: { length: 250 }, truncated: true })
  })

  it(`${name}: stops after maxBytes`, async () => {
    const rows = "SELECT replace('xxxxxxxxxx', 'x', 'yyyyyyyyyy') AS long FROM t AS a, t AS b, t AS c"
    expect(await read(client(), rows, { maxBytes: 1000 })).toMatchObject({ rows: { length: 10 }, truncated: true })
    await expect(read(client(), rows, { maxBytes: 99 })).rejects.toMatchObject(failure('too_large'))
  })

  if (endless !== undefined) {
    it(`${name}: stops an endless statement in time, and serves the other calls`, async () => {
      await read(client(), 'SELECT 1')
      const bomb = read(client(), BOMB, { timeoutMs: 300 })
      const other = read(client(), 'SELECT 1 AS one')
      await expect(bomb).rejects.toMatchObject(failure('timeout'))
      expect(await other).toMatchObject({ rows: [[1]] })
      await expectUnchanged(client())
    })

    it(`${name}: rolls back a write that it stops`, async () => {
      await read(client(), 'SELECT 1')
      const sql =
        "WITH RECURSIVE c(n) AS (SELECT 10 UNION ALL SELECT n + 1 FROM c) INSERT INTO t SELECT n, 'x' FROM c WHERE n < 1000"
      await expect(read(client(), sql, { readOnly: false, timeoutMs: 100 })).rejects.toMatchObject(failure('timeout'))
      await expectUnchanged(client())
    })

    it(`${name}: stops when the caller aborts, and serves the next call`, async () => {
      const caller = new AbortController()
      const bomb = read(client(), endless.sql, { signal: caller.signal }).catch((error) => error)
      await until(endless.isRunning)
      caller.abort()
      expect(await bomb).toMatchObject({ code: 'aborted' })
      await expect(read(client(), 'SELECT 1', { signal: caller.signal })).rejects.toMatchObject({ code: 'aborted' })
      await expectUnchanged(client())
    })
  }

  it(`commits a write, counts its rows and rolls back one that fails (${name})`, async () => {
    const write = (sql: string) => read(client(), sql, { readOnly: false })
    expect(await write("INSERT INTO t VALUES (4, 'four'), (5, 'five')")).toMatchObject({ changes: 2, rows: [] })
    expect(await write('UPDATE t SET label = label')).toMatchObject({ changes: 5 })
    await expect(write("INSERT INTO t VALUES (6, 'six'), (1, 'again')")).rejects.toMatchObject(failure('sql_error'))
    expect(await write('DELETE FROM t WHERE id > 3 RETURNING id')).toMatchObject({ changes: 2, rows: [[4], [5]] })
    await expectUnchanged(client())
  })

  it(`counts all rows that a write changed, including those that it does not return (${name})`, async () => {
    const sql = "INSERT INTO t SELECT 100 + a.id * 10 + b.id, 'x' FROM t AS a, t AS b RETURNING id"
    const write = { readOnly: false, maxRows: 2 }
    expect(await read(client(), sql, write)).toMatchObject({ changes: 9, rows: { length: 2 }, truncated: true })
    expect(await read(client(), 'DELETE FROM t WHERE id > 3 RETURNING id', write)).toMatchObject({ changes: 9, truncated: true })
    await expectUnchanged(client())
  })

  it(`keeps both of two columns with the same name, and returns the columns without rows (${name})`, async () => {
    const sql = 'SELECT 1 AS a, 2 AS a, 3 AS "__proto__"'
    expect(await read(client(), sql)).toMatchObject({ columns: ['a', 'a', '__proto__'], rows: [[1, 2, 3]] })
    expect(await read(client(), 'SELECT id, label FROM t WHERE id = 9')).toMatchObject({ columns: ['id', 'label'], rows: [] })
  })

  it(`loses no digit of a large number (${name})`, async () => {
    expect(await read(client(), 'SELECT 9007199254740993 AS large, 2.5 * 2 AS five')).toMatchObject({
      rows: [[9007199254740993n, expect.anything()]],
    })
  })

  it(`explains what is wrong with a statement (${name})`, async () => {
    await expect(read(client(), 'SELEC 1')).rejects.toMatchObject({
      ...failure('sql_error'),
      message: expect.stringContaining('syntax error'),
    })
    await expect(read(client(), 'SELECT * FROM nowhere')).rejects.toMatchObject(failure('unknown_identifier'))
    await expect(read(client(), 'SELECT colour FROM t')).rejects.toMatchObject(failure('unknown_identifier'))
    for (const sql of ['', ' ; ', '-- nothing', 'SELECT 1\0; DELETE FROM t'])
      await expect(read(client(), sql)).rejects.toMatchObject(failure('sql_error'))
  })
}
