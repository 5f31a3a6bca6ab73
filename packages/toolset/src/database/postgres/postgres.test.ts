import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOMB, behavesAsAClient, expectUnchanged, failure, read, until } from '../../../test/database/contract.ts'
import { behavesAsPostgres, connectPostgres } from '../../../test/database/contract-postgres.ts'
import { behavesAsAToolset, call, DatabaseToolset, TOOLSET_SETUP } from '../../../test/database/toolset.ts'
import { findWritePrivileges } from '../../postgres.ts'
import type { SqlClient } from '../sql-client.ts'

describe.skipIf(POSTGRES_MISSING)(`postgres${POSTGRES_MISSING && ` (skipped: ${POSTGRES_MISSING})`}`, () => {
  let server: TestPostgres
  let shared: SqlClient
  const client = () => shared
  const write = (sql: string) => read(shared, sql, { readOnly: false })
  beforeAll(async () => {
    server = await startPostgres()
    shared = await connectPostgres({ url: server.url })
    for (const sql of TOOLSET_SETUP.split(';')) await write(sql)
  })
  afterAll(async () => {
    await shared?.close()
    await server?.[Symbol.asyncDispose]()
  })

  const countOf = async (condition: string) => {
    const sql = `SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND ${condition}`
    return (await read(shared, sql)).rows[0]?.[0]
  }
  const isRunning = async () => (await countOf("state = 'active' AND query LIKE 'WITH RECURSIVE%'")) === 1
  const SLEEPING = "wait_event = 'PgSleep'"
  const untilSleeping = (count: number) => until(async () => (await countOf(SLEEPING)) === count)

  behavesAsAClient({ name: 'postgres', client, endless: { sql: BOMB, isRunning } })
  behavesAsAToolset({ name: 'postgres', dialect: 'postgres', client })
  behavesAsPostgres({ name: 'postgres', client })

  it('postgres: changes nothing for a hostile text', async () => {
    const piece = fc.constantFrom(
      ...[
        'DELETE FROM t',
        'UPDATE t SET label = 1',
        "INSERT INTO t VALUES (4, 'x')",
        'TRUNCATE t CASCADE',
        'DROP TABLE t CASCADE',
      ],
      ...[
        'COMMIT',
        'END',
        'ROLLBACK',
        'BEGIN',
        'SAVEPOINT s',
        'RELEASE s',
        'ROLLBACK TO s',
        'COMMIT AND CHAIN',
        'SET TRANSACTION READ WRITE',
      ],
      ...[
        'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE',
        'SET default_transaction_read_only = off',
        'RESET ALL',
        'DISCARD ALL',
      ],
      ...[
        "SELECT set_config('transaction_read_only', 'off', false)",
        'PREPARE p AS',
        'EXECUTE p',
        'DEALLOCATE p',
        'EXPLAIN ANALYZE',
      ],
      ...[
        'DO $$ BEGIN DELETE FROM t; COMMIT; END $$',
        'WITH x AS (',
        'SELECT 1',
        'SELECT * FROM t',
        'RETURNING *',
        'FOR UPDATE',
        'INTO u',
      ],
      ...[';', ';', '--', '\n', '/*', '*/', "'", '"', '(', ')', '$$', '$1', "E'\\'", '\u00a0', ''],
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(' ', '', ';'),
        async (pieces, separator) => {
          await read(shared, pieces.join(separator), { maxRows: 5 }).catch((error) => expect(error.code).toBe('execution_failed'))
          await expectUnchanged(shared)
        },
      ),
      { numRuns: process.env.X_FULL ? 300 : 50 },
    )
    expect((await read(shared, "SELECT to_regclass('u')")).rows).toEqual([[null]])
  })

  it('postgres: serves other calls during a slow one', async () => {
    const caller = new AbortController()
    const slow = read(shared, 'SELECT pg_sleep(1e6)', { signal: caller.signal }).catch((error) => error)
    let isOver = false
    void slow.then(() => {
      isOver = true
    })
    await untilSleeping(1)
    await expectUnchanged(shared)
    expect(isOver).toBe(false)
    caller.abort()
    expect(await slow).toMatchObject({ code: 'aborted' })
    await untilSleeping(0)
  })

  it('postgres: leaves nothing running after a timeout', async () => {
    // Now there is an open connection. The driver closes connections that are idle for some seconds.
    await read(shared, 'SELECT 1')
    await expect(read(shared, 'SELECT pg_sleep(1e6)', { timeoutMs: 100 })).rejects.toMatchObject(failure('timeout'))
    await untilSleeping(0)
  })

  it('postgres: times out even if this process was suspended before it sent the statement', async () => {
    for (const readOnly of [true, false]) {
      await read(shared, 'SELECT 1')
      const reading = read(shared, 'SELECT pg_sleep(1e6)', { timeoutMs: 50, readOnly }).catch((error) => error)
      // During one of these pauses, the server has begun the transaction. It ends the session after 50 ms without a statement.
      for (let pause = 0; pause < 10; pause++) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 80)
        await new Promise((resolve) => setImmediate(resolve))
      }
      expect(await reading).toMatchObject(failure('timeout'))
      await expectUnchanged(shared)
    }
    await untilSleeping(0)
  })

  it('postgres: stops at a row that would fill the memory', async () => {
    await expect(read(shared, "SELECT repeat('x', 20000000)")).rejects.toMatchObject(failure('too_large'))
    await expectUnchanged(shared)
  })

  it('postgres: refuses a read-only role files, programs, and tables without a grant', async () => {
    for (const sql of [
      "CREATE ROLE guest LOGIN PASSWORD 'secret'",
      'GRANT SELECT ON t TO guest',
      'CREATE TABLE hidden (a INTEGER)',
    ])
      await write(sql)
    const guest = await connectPostgres({ url: server.url.replace('tester@', 'guest:secret@') })
    try {
      expect(await findWritePrivileges(guest)).toEqual([])
      await expectUnchanged(guest)
      for (const sql of [
        "SELECT pg_read_file('/etc/passwd')",
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "SELECT lo_export(1, '/tmp/x')",
        'SELECT * FROM hidden',
      ]) {
        const error = await read(guest, sql).catch((thrown) => thrown)
        expect(error).toMatchObject(failure('statement_not_allowed'))
        expect(error.message).toMatch(/permission denied|must be superuser|privileges/)
      }
      await expect(read(guest, 'DELETE FROM t', { readOnly: false })).rejects.toMatchObject(failure('statement_not_allowed'))
    } finally {
      await guest.close()
    }
  })

  it('shows and selects only the columns that the role may read', async () => {
    for (const sql of [
      "CREATE ROLE partial LOGIN PASSWORD 'secret'",
      'CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, salary INTEGER)',
      "INSERT INTO people VALUES (1, 'Ann', 5)",
      'GRANT SELECT (id, name) ON people TO partial',
    ])
      await write(sql)
    const toolset = new DatabaseToolset({
      client: () => connectPostgres({ url: server.url.replace('tester@', 'partial:secret@') }),
    })
    try {
      expect(await call(toolset, 'database_tables', {})).toMatchObject({ tables: [{ name: 'people', kind: 'table' }] })
      expect(await call(toolset, 'database_describe', { table: 'people' })).toMatchObject({
        columns: [{ name: 'id' }, { name: 'name' }],
        primaryKey: ['id'],
      })
      expect(await call(toolset, 'database_select', { table: 'people' })).toMatchObject({
        columns: ['id', 'name'],
        rows: [[1, 'Ann']],
      })
      expect(await call(toolset, 'database_select', { table: 'people', columns: ['salary'] })).toMatchObject(
        failure('unknown_identifier'),
      )
    } finally {
      await toolset.close?.()
      await write('DROP TABLE people')
    }
  })

  it('lists a partitioned table without its partitions, unless the role may read only these', async () => {
    for (const sql of [
      "CREATE ROLE parted LOGIN PASSWORD 'secret'",
      'CREATE TABLE events (day DATE, label TEXT) PARTITION BY RANGE (day)',
      "CREATE TABLE events_26 PARTITION OF events FOR VALUES FROM ('2026-01-01') TO ('2027-01-01') PARTITION BY RANGE (day)",
      "CREATE TABLE events_26_01 PARTITION OF events_26 FOR VALUES FROM ('2026-01-01') TO ('2026-02-01')",
      "INSERT INTO events VALUES ('2026-01-02', 'new')",
      'GRANT SELECT ON events_26_01 TO parted',
    ])
      await write(sql)
    const select = {
      client: () => connectPostgres({ url: server.url.replace('tester@', 'parted:secret@') }),
      access: 'select',
    } as const
    const toolset = new DatabaseToolset(select)
    const listed = new DatabaseToolset({ ...select, tables: ['events_26_01', 'events'] })
    try {
      expect(await call(toolset, 'database_tables', {})).toMatchObject({ tables: [{ name: 'events_26_01' }] })
      await write('GRANT SELECT ON events TO parted')
      // The role may not read the level between, `events_26`.
      expect(await call(toolset, 'database_tables', {})).toMatchObject({ tables: [{ name: 'events', kind: 'table' }] })
      expect(await call(toolset, 'database_select', { table: 'events_26_01' })).toMatchObject({
        rows: [[expect.anything(), 'new']],
      })
      expect(await call(listed, 'database_tables', {})).toMatchObject({ tables: [{ name: 'events' }, { name: 'events_26_01' }] })
    } finally {
      await toolset.close?.()
      await listed.close?.()
      await write('DROP TABLE events')
    }
  })

  it('lists all tables of a database that has more partitions than the limit of rows', async () => {
    await write('CREATE TABLE whole (n INTEGER) PARTITION BY LIST (n)')
    let maxRows = 10_000
    const short: SqlClient = {
      dialect: shared.dialect,
      run: (statement) => shared.run({ ...statement, maxRows }),
      close: async () => {},
    }
    const tablesOf = (tables?: readonly string[]) =>
      call(new DatabaseToolset({ client: () => short, access: 'select', tables }), 'database_tables', {})
    try {
      const before = (await tablesOf()) as { readonly tables: readonly object[] }
      for (const n of [1, 2, 3]) await write(`CREATE TABLE a_part_${n} PARTITION OF whole FOR VALUES IN (${n})`)
      maxRows = before.tables.length
      expect(await tablesOf()).toEqual({ ...before, truncated: false })
      maxRows = 2
      expect(await tablesOf(['whole', 'a_part_3'])).toMatchObject({ tables: [{ name: 'a_part_3' }, { name: 'whole' }] })
    } finally {
      await write('DROP TABLE whole')
    }
  })

  it('lists what a role may do besides reading', async () => {
    const found = await findWritePrivileges(shared)
    expect(found).toContain('is a superuser')
    expect(found).toContain('may change t')
  })

  it('postgres: explains why there is no connection, without the address and the password', async () => {
    const unknown = server.url.replace('tester@', 'stranger:hunter2@')
    for (const [url, words] of [
      ['postgres://someone:hunter2@127.0.0.1:1/place', 'the connection was refused'],
      [unknown, 'it rejected this user'],
      [server.url.replace(/postgres$/, 'nowhere'), 'the database does not exist'],
    ] as const) {
      const absent = await connectPostgres({ url })
      const error = await read(absent, 'SELECT 1').catch((thrown) => thrown)
      expect(error).toMatchObject({ ...failure('cannot_connect'), message: expect.stringContaining(words) })
      expect(error.message).not.toMatch(/hunter2|someone|127\.0|nowhere|\//)
      await absent.close()
    }
  })

  it('continues after its connection has been lost', async () => {
    await expect(read(shared, 'SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject(failure('cannot_connect'))
    await expectUnchanged(shared)
  })

  it('waits for a lock only until the timeout', async () => {
    const other = await connectPostgres({ url: server.url })
    const sql = 'UPDATE t SET label = label RETURNING pg_sleep(1e6)'
    const holding = read(other, sql, { readOnly: false }).catch((error) => error)
    await untilSleeping(1)
    await expect(read(shared, 'UPDATE t SET label = label', { readOnly: false, timeoutMs: 100 })).rejects.toMatchObject(
      failure('timeout'),
    )
    await other.close()
    expect(await holding).toMatchObject(failure('closed'))
    await untilSleeping(0)
  })

  it('stops running statements when it is closed', async () => {
    const own = await connectPostgres({ url: server.url })
    const slow = read(own, 'SELECT pg_sleep(1e6)').catch((error) => error)
    await untilSleeping(1)
    await own.close()
    await own.close()
    expect(await slow).toMatchObject(failure('closed'))
    await expect(read(own, 'SELECT 1')).rejects.toMatchObject(failure('closed'))
  })
})
