/** What PostgreSQL must do beyond the common contract, as a server and embedded. */
import { expect, it } from 'vitest'
import type { SqlClient } from '../../src/database/sql-client.ts'
import { openPostgres, type PostgresOptions } from '../../src/postgres.ts'
import { expectUnchanged, failure, read } from './contract.ts'

/** Opens a database. Connecting may take as long as a test, because a busy machine may exceed the default. */
export function connectPostgres(options: PostgresOptions): Promise<SqlClient> {
  return openPostgres({ connectMs: 600_000, ...options })
}

/** Ways in which a query could try to make the session or the transaction writable or longer. */
const SWITCHES = [
  "SELECT set_config('default_transaction_read_only', 'off', false)",
  "SELECT set_config('transaction_read_only', 'off', false)",
  "SELECT set_config('transaction_read_only', 'off', true)",
  "SELECT set_config('statement_timeout', '0', false), set_config('search_path', 'nowhere', false)",
  'SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE',
  'SET default_transaction_read_only = off',
  'SET search_path = nowhere',
  'PREPARE attack AS DELETE FROM t',
  'DISCARD ALL',
  'DO $$ BEGIN COMMIT; DELETE FROM t; END $$',
]

export function behavesAsPostgres({ name, client }: { name: string; client: () => SqlClient }): void {
  it.each(SWITCHES)(`${name}: %s has no effect on the next call`, async (sql) => {
    await read(client(), sql).catch((error) => expect(error.code).toBe('execution_failed'))
    await expect(read(client(), 'DELETE FROM t')).rejects.toMatchObject(failure('read_only_violation'))
    await expect(read(client(), 'EXECUTE attack')).rejects.toMatchObject(failure('sql_error'))
    const { rows } = await read(client(), "SELECT current_setting('search_path'), current_setting('transaction_read_only')")
    expect(rows).toEqual([[expect.stringMatching(/public$/), 'on']])
    await expectUnchanged(client())
  })

  it(`${name}: does not carry a session setting of a write to the next call`, async () => {
    await read(client(), 'SET search_path = nowhere', { readOnly: false })
    await read(client(), 'SELECT pg_advisory_lock(1)', { readOnly: false })
    expect(await read(client(), "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")).toMatchObject({ rows: [[0]] })
    await expectUnchanged(client())
  })

  it(`${name}: does not let a statement make its own transaction writable`, async () => {
    const sql = "WITH s AS (SELECT set_config('transaction_read_only', 'off', true)) DELETE FROM t USING s"
    await expect(read(client(), sql)).rejects.toMatchObject({ code: 'execution_failed' })
    await expectUnchanged(client())
  })

  it(`does not report zero changes when a write hides in a WITH (${name})`, async () => {
    const sql = "WITH added AS (INSERT INTO t VALUES (4, 'four') RETURNING id) SELECT id FROM added"
    expect(await read(client(), sql, { readOnly: false })).toMatchObject({ rows: [[4]], changes: undefined })
    expect(await read(client(), 'DELETE FROM t WHERE id = 4', { readOnly: false })).toMatchObject({ changes: 1 })
  })

  it(`does not report zero changes for a statement whose rows PostgreSQL does not count (${name})`, async () => {
    const write = (sql: string) => read(client(), sql, { readOnly: false })
    await write('CREATE TABLE uncounted AS SELECT * FROM t')
    expect(await write('EXPLAIN ANALYZE DELETE FROM uncounted WHERE id = 1')).toMatchObject({ changes: undefined })
    expect(await write('TRUNCATE uncounted')).toMatchObject({ changes: undefined })
    expect(await write('DROP TABLE uncounted')).toMatchObject({ changes: 0 })
  })

  it(`returns each kind of value exactly (${name})`, async () => {
    const sql = `SELECT true, 1::smallint, 2.5::float8, 'NaN'::float8, 1.10::numeric, 9007199254740993, NULL::text,
      '\\x0001ff'::bytea, '{"a": [1]}'::jsonb, ARRAY[1, 2], '2026-01-02T03:04:05.678901Z'::timestamptz AT TIME ZONE 'UTC', 'a''b'`
    expect((await read(client(), sql)).rows).toEqual([
      [
        true,
        1,
        2.5,
        'NaN',
        '1.10',
        9007199254740993n,
        null,
        new Uint8Array([0, 1, 255]),
        '{"a": [1]}',
        '{1,2}',
        '2026-01-02 03:04:05.678901',
        "a'b",
      ],
    ])
  })

  it(`binds each kind of value exactly (${name})`, async () => {
    const params = [true, 2.5, 9007199254740993n, null, new Uint8Array([0, 255]), 'é😀']
    const sql = 'SELECT $1::boolean, $2::float8, $3::bigint, $4::text, $5::bytea, $6::text'
    expect((await read(client(), sql, { params })).rows).toEqual([params])
    await expect(read(client(), 'SELECT $1', { params: ['a\0b'] })).rejects.toMatchObject(failure('sql_error'))
  })

  it(`runs what only looks like several statements (${name})`, async () => {
    expect(await read(client(), "SELECT ';' AS a, $x$;$x$ AS b, E'\\';' AS c /* ; /* ; */ ; */ ;")).toMatchObject({
      rows: [[';', ';', "';"]],
    })
  })
}
