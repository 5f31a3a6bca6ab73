/** PostgreSQL: how interruptions affect the work of the server, large rows and waiting calls. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectUnchanged, failure, read, SETUP, until } from '../../../test/database/contract.ts'
import { connectPostgres } from '../../../test/database/contract-postgres.ts'
import type { SqlClient } from '../sql-client.ts'
import { createPostgresClient } from './postgres-client.ts'

/** SQL that removes every limit of the server that a query can remove. */
const UNLIMITED = `query_to_xml('SELECT set_config(''statement_timeout'', ''0'', true),
  set_config(''client_connection_check_interval'', ''0'', true)', true, true, '')`

describe.skipIf(POSTGRES_MISSING)(`postgres, interrupted${POSTGRES_MISSING && ` (skipped: ${POSTGRES_MISSING})`}`, () => {
  let server: TestPostgres
  let shared: SqlClient
  const write = (sql: string) => read(shared, sql, { readOnly: false })
  const countOf = async (condition: string) => {
    const sql = `SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND ${condition}`
    return (await read(shared, sql)).rows[0]?.[0]
  }
  const untilThere = (condition: string) => until(async () => (await countOf(condition)) === 1)
  const untilGone = (condition: string) => until(async () => (await countOf(condition)) === 0)
  const SLEEPING = "wait_event = 'PgSleep'"

  beforeAll(async () => {
    server = await startPostgres()
    shared = await connectPostgres({ url: server.url })
    for (const sql of SETUP.split(';')) await write(sql)
  })
  afterAll(async () => {
    await shared?.close()
    await server?.[Symbol.asyncDispose]()
  })

  it('postgres: leaves nothing running on the server after a query that removed its limits', async () => {
    const sql = `SELECT ${UNLIMITED}, CASE WHEN n > 60 THEN pg_sleep(1e6) END FROM generate_series(1, 90) AS n`
    // Now there is an open connection. The driver closes connections that are idle for some seconds.
    await read(shared, 'SELECT 1')
    await expect(read(shared, sql, { timeoutMs: 300 })).rejects.toMatchObject(failure('timeout'))
    await untilGone(SLEEPING)
  })

  it('postgres: cancels a statement on the server if the caller aborts', async () => {
    const caller = new AbortController()
    const sql = `SELECT ${UNLIMITED}, pg_sleep(1e6)`
    const aborted = read(shared, sql, { signal: caller.signal }).catch((error) => error)
    await untilThere(SLEEPING)
    caller.abort()
    expect(await aborted).toMatchObject({ code: 'aborted' })
    await untilGone(SLEEPING)
  })

  it('postgres: returns the small rows before a large one', async () => {
    const sized = (large: number) =>
      `SELECT repeat('x', CASE WHEN n <= 10 THEN 1 ELSE ${large} END) FROM generate_series(1, 90) AS n`
    expect(await read(shared, sized(50_000))).toMatchObject({ rows: { length: 11 }, truncated: true })
    expect(await read(shared, sized(20_000_000))).toMatchObject({ rows: { length: 10 }, truncated: true })
    await expectUnchanged(shared)
  })

  it('reports outcome_unknown when a commit is interrupted', async () => {
    await write('CREATE TABLE slow (a INTEGER)')
    await write(`CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1e6); RETURN NULL; END'`)
    await write(`CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION linger()`)
    const caller = new AbortController()
    const sql = 'INSERT INTO slow VALUES (1)'
    const broken = read(shared, sql, { readOnly: false, signal: caller.signal }).catch((error) => error)
    await untilThere(`${SLEEPING} AND query = 'COMMIT'`)
    caller.abort()
    expect(await broken).toMatchObject({ ...failure('outcome_unknown'), retryable: false })
    await untilGone(SLEEPING)
  })

  it('returns what was committed or read, even if its connection cannot be reset', async () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 1 })
    pool.on('error', () => {})
    pool.on('connect', (connection) => {
      const query = connection.query.bind(connection) as (...args: unknown[]) => unknown
      const failing = (...args: unknown[]) => (args[0] === 'DISCARD ALL' ? Promise.reject(new Error('lost')) : query(...args))
      connection.query = failing as never
    })
    const own = createPostgresClient(pool)
    const sql = "INSERT INTO t VALUES (4, 'four')"
    expect(await read(own, sql, { readOnly: false })).toMatchObject({ changes: 1 })
    expect(await read(own, 'SELECT count(*) FROM t')).toMatchObject({ rows: [[4]] })
    expect(pool.totalCount).toBe(0)
    await own.close()
    await write('DELETE FROM t WHERE id = 4')
  })

  it('reports a timeout if the session ended before the statement was sent, even if the reason cannot be read', async () => {
    const pool = new pg.Pool({ connectionString: server.url, max: 1 })
    pool.on('error', () => {})
    const own = createPostgresClient(pool)
    const connection = await pool.connect()
    connection.release()
    const { query } = connection
    connection.query = ((...args: unknown[]) => {
      if (typeof args[0] !== 'string') {
        // This process is suspended, and then fails to write.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
        const { stream } = (connection as unknown as { connection: { stream: Socket } }).connection
        stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
      }
      return Reflect.apply(query, connection, args)
    }) as never
    await expect(read(own, 'SELECT 1', { timeoutMs: 50 })).rejects.toMatchObject(failure('timeout'))
    await own.close()
  })

  it('reports a connection that cannot even be created, and closes', async () => {
    const pool = new pg.Pool({ max: 1, connectionString: 'postgres://ann:hunter#2@localhost/shop' })
    const own = createPostgresClient(pool)
    await expect(read(own, 'SELECT 1')).rejects.toMatchObject(failure('cannot_connect'))
    await own.close()
    expect(pool.ended).toBe(true)
  })

  it('waits for a free connection only until the timeout, an abort or a close', async () => {
    const own = await connectPostgres({ url: server.url, maxConnections: 1 })
    const slow = read(own, 'SELECT pg_sleep(1e6)').catch((error) => error)
    await untilThere(SLEEPING)
    const caller = new AbortController()
    const aborted = read(own, 'SELECT 1', { signal: caller.signal }).catch((error) => error)
    const kept = read(own, 'SELECT 1').catch((error) => error)
    await expect(read(own, 'SELECT 1', { timeoutMs: 100 })).rejects.toMatchObject({ ...failure('busy'), retryable: true })
    caller.abort()
    expect(await aborted).toMatchObject({ code: 'aborted' })
    await own.close()
    expect([await kept, await slow]).toMatchObject([failure('closed'), failure('closed')])
    await untilGone(SLEEPING)
  })

  it('waits for a server that never responds only until the timeout or an abort', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => void sockets.add(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    const own = await connectPostgres({ url: `postgres://tester@127.0.0.1:${port}/postgres` })
    try {
      const caller = new AbortController()
      const aborted = read(own, 'SELECT 1', { signal: caller.signal }).catch((error) => error)
      const kept = read(own, 'SELECT 1').catch((error) => error)
      await expect(read(own, 'SELECT 1', { timeoutMs: 100 })).rejects.toMatchObject(failure('cannot_connect'))
      caller.abort()
      expect(await aborted).toMatchObject({ code: 'aborted' })
      await own.close()
      expect(await kept).toMatchObject(failure('closed'))
    } finally {
      for (const socket of sockets) socket.destroy()
      silent.close()
    }
  })
})
