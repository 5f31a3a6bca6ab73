/** SQL of a model on a real PostgreSQL. Tests the checks that need the server, and the rights of the role. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectUnchanged, failure, read } from '../../../test/database/contract.ts'
import { connectPostgres } from '../../../test/database/contract-postgres.ts'
import { call, DatabaseToolset, TOOLSET_SETUP } from '../../../test/database/toolset.ts'
import { guardPostgres } from '../../postgres.ts'
import type { ClientSource } from '../client-holder.ts'
import type { SqlClient } from '../sql-client.ts'
import { guarded } from './postgres-guard.ts'

const ROLES = `
CREATE ROLE reader LOGIN;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
CREATE ROLE writer LOGIN;
GRANT SELECT, INSERT, UPDATE, DELETE ON t TO writer;
CREATE ROLE column_writer LOGIN;
GRANT UPDATE (label) ON t TO column_writer;
CREATE ROLE file_reader LOGIN IN ROLE pg_read_server_files;
CREATE ROLE owner LOGIN IN ROLE tester;
CREATE ROLE becomes_writer LOGIN NOINHERIT IN ROLE writer;
CREATE ROLE table_owner LOGIN;
CREATE TABLE owned (id INT);
ALTER TABLE owned OWNER TO table_owner;
REVOKE ALL ON owned FROM table_owner;
CREATE ROLE view_owner LOGIN;
CREATE MATERIALIZED VIEW kept AS SELECT 1 AS id;
ALTER MATERIALIZED VIEW kept OWNER TO view_owner;
CREATE ROLE schema_maker LOGIN;
GRANT CREATE ON DATABASE postgres TO schema_maker;
CREATE ROLE feature_writer LOGIN;
GRANT INSERT ON information_schema.sql_features TO feature_writer;
CREATE ROLE group_writer LOGIN;
GRANT UPDATE ON pg_catalog.pg_group TO group_writer;
CREATE ROLE schema_owner LOGIN;
CREATE SCHEMA owned_schema AUTHORIZATION schema_owner;
REVOKE CREATE ON SCHEMA owned_schema FROM schema_owner;
CREATE ROLE system_maker LOGIN;
GRANT CREATE ON SCHEMA pg_catalog TO system_maker;
CREATE ROLE type_owner LOGIN;
CREATE DOMAIN owned_type AS INT;
ALTER DOMAIN owned_type OWNER TO type_owner;
CREATE ROLE function_owner LOGIN;
CREATE FUNCTION owned_function() RETURNS INT LANGUAGE sql AS 'SELECT 1';
ALTER FUNCTION owned_function OWNER TO function_owner;
CREATE ROLE database_owner LOGIN;
ALTER DATABASE postgres OWNER TO database_owner;
REVOKE CREATE ON DATABASE postgres FROM database_owner;
CREATE ROLE trigger_maker LOGIN;
GRANT TRIGGER ON t TO trigger_maker;
CREATE ROLE backslash LOGIN;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO backslash;
ALTER ROLE backslash SET standard_conforming_strings = off;
CREATE ROLE hidden_writer LOGIN IN ROLE writer;
ALTER ROLE hidden_writer SET search_path = hiding, pg_catalog, public;
CREATE SCHEMA hiding;
GRANT USAGE ON SCHEMA hiding TO hidden_writer;
${['roles', 'class', 'namespace', 'database', 'settings', 'shdepend'].map((name) => `CREATE VIEW hiding.pg_${name} AS SELECT`).join(';')}`

/** Functions that the guard doesn't list, although the role may call them. */
const OWN = `
CREATE TYPE status AS ENUM ('new', 'paid');
CREATE DOMAIN loud AS TEXT CHECK (length(VALUE) > 0);
CREATE FUNCTION shout(TEXT) RETURNS TEXT LANGUAGE sql AS 'SELECT upper($1)';
CREATE FUNCTION size_of(t) RETURNS INTEGER LANGUAGE sql AS 'SELECT 1'`

describe.skipIf(POSTGRES_MISSING)(`SQL of a model on PostgreSQL${POSTGRES_MISSING && ` (skipped: ${POSTGRES_MISSING})`}`, () => {
  let server: TestPostgres
  let superuser: SqlClient
  const clients: SqlClient[] = []
  const clientsOfRoles = new Map<string, Promise<SqlClient>>()
  /** Returns the same client for the same arguments, because each client starts a thread for its parser. */
  const connect = (role: string, functions?: string[]) => {
    const key = JSON.stringify([role, functions])
    let client = clientsOfRoles.get(key)
    if (client === undefined) {
      client = connectPostgres({ url: server.url.replace('tester@', `${role}@`), functions })
      clientsOfRoles.set(key, client)
      void client.then((opened) => clients.push(opened))
    }
    return client
  }
  const toolsetOf = async (
    role: string,
    options: { access?: 'query' | 'execute'; trusted?: boolean; functions?: string[] } = {},
  ) => {
    const { functions, ...rest } = options
    return new DatabaseToolset({ client: await connect(role, functions), ...rest })
  }
  beforeAll(async () => {
    server = await startPostgres()
    superuser = await connect('tester')
    for (const sql of `${TOOLSET_SETUP};${OWN};${ROLES}`.split(';')) await read(superuser, sql, { readOnly: false })
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await server?.[Symbol.asyncDispose]()
  })

  it('runs for a role that can only read', async () => {
    const toolset = await toolsetOf('reader')
    await toolset.open()
    const sql = "SELECT x.id, upper(x.label), 'new'::status FROM t AS x JOIN labels AS l ON l.label = x.label WHERE x.id = $1"
    expect(await call(toolset, 'database_query', { sql, params: [2] })).toMatchObject({ rows: [[2, 'TWO', 'new']] })
  })

  it.each([
    ['tester', 'query', 'is a superuser'],
    ['tester', 'execute', 'is a superuser'],
    ['writer', 'query', 'may change t'],
    ['column_writer', 'query', 'may change t'],
    ['becomes_writer', 'query', 'may change t'],
    ['table_owner', 'query', 'may change owned'],
    ['view_owner', 'query', 'may change kept'],
    ['schema_maker', 'query', 'may create schemas'],
    ['feature_writer', 'query', 'may change information_schema.sql_features'],
    ['group_writer', 'query', 'may change pg_group'],
    ['schema_owner', 'query', 'may create in the schema owned_schema'],
    ['system_maker', 'query', 'may create in the schema pg_catalog'],
    ['type_owner', 'query', 'owns the type public.owned_type'],
    ['function_owner', 'query', 'owns the function public.owned_function\\(\\)'],
    ['database_owner', 'query', 'owns the database postgres'],
    ['trigger_maker', 'query', 'may change t'],
    ['hidden_writer', 'query', 'may change t'],
    ['file_reader', 'query', 'is a member of pg_read_server_files'],
    ['file_reader', 'execute', 'is a member of pg_read_server_files'],
    ['owner', 'execute', 'is a member of tester'],
  ] as const)('is refused when the database is opened for %s with access %s, which %s', async (role, access, risk) => {
    const toolset = await toolsetOf(role, { access })
    await expect(toolset.open()).rejects.toMatchObject({
      code: 'invalid_definition',
      message: expect.stringMatching(new RegExp(`it ${risk}.*trusted: true`)),
    })
    expect(await call(toolset, 'database_query', { sql: 'SELECT 1' })).toMatchObject({ code: 'invalid_definition' })
    await (await toolsetOf(role, { access, trusted: true })).open()
  })

  it('is refused for a role that logged in as a superuser and acts as another role', async () => {
    const url = `${server.url}?options=-c%20role%3Dreader`
    const client = await connectPostgres({ url })
    clients.push(client)
    expect((await read(client, 'SELECT current_user, session_user')).rows).toEqual([['reader', 'tester']])
    await expect(new DatabaseToolset({ client }).open()).rejects.toMatchObject({ code: 'invalid_definition' })
  })

  it('may write if the access is execute and the role may write rows', async () => {
    const toolset = await toolsetOf('writer', { access: 'execute' })
    const sql = 'UPDATE t SET label = lower(t.label) WHERE t.id = 1'
    expect(await call(toolset, 'database_execute', { sql })).toMatchObject({ changes: 1 })
    expect(await call(toolset, 'database_query', { sql })).toMatchObject(failure('read_only_violation'))
    await expectUnchanged(superuser)
  })

  it.each([
    "SELECT ('PG_VERSION'::text).pg_read_file",
    "SELECT x.pg_read_file FROM lower('pg_version') AS x",
    "SELECT (SELECT x).pg_read_file FROM lower('pg_version') AS x",
    "SELECT ('a'::text).shout",
    "SELECT ('a'::text).loud",
    'SELECT t.size_of FROM t',
    'SELECT public.t.size_of FROM public.t',
    'SELECT 1 FROM t ORDER BY t.size_of',
  ])('must not call a function in attribute notation, even for a trusted superuser: %s', async (sql) => {
    const toolset = await toolsetOf('tester', { access: 'execute', trusted: true })
    for (const tool of ['database_query', 'database_execute'])
      expect(await call(toolset, tool, { sql })).toMatchObject(failure('statement_not_allowed'))
  })

  it.each([
    'ALTER VIEW pg_catalog.pg_group RENAME TO groups',
    'ALTER VIEW pg_settings RENAME COLUMN name TO label',
    'DROP VIEW pg_catalog.pg_stat_activity CASCADE',
    'DROP VIEW information_schema.tables',
    'ALTER TABLE t RENAME TO pg_settings',
  ])("must not change PostgreSQL's own relations, even for a trusted superuser: %s", async (sql) => {
    const toolset = await toolsetOf('tester', { access: 'execute', trusted: true })
    expect(await call(toolset, 'database_execute', { sql })).toMatchObject(failure('statement_not_allowed'))
    await expectUnchanged(superuser)
  })

  it("is checked against PostgreSQL's own relations even under another name or through the search path", async () => {
    const client = await connectPostgres({ url: `${server.url}?options=-c%20search_path%3Dpublic,information_schema` })
    clients.push(client)
    const toolset = new DatabaseToolset({ client, access: 'execute', trusted: true })
    await read(superuser, 'ALTER VIEW pg_catalog.pg_group RENAME TO groups', { readOnly: false })
    for (const sql of [
      "UPDATE groups SET groname = 'x' WHERE false",
      'CREATE VIEW v AS SELECT * FROM t, groups',
      'SELECT * FROM groups FOR UPDATE',
      'DROP TABLE sql_features',
      'ALTER VIEW "tables" RENAME TO x',
    ])
      expect(await call(toolset, 'database_execute', { sql })).toMatchObject(failure('statement_not_allowed'))
    expect(await call(toolset, 'database_execute', { sql: 'UPDATE t SET label = label' })).toMatchObject({ changes: 3 })
    await read(superuser, 'ALTER VIEW pg_catalog.groups RENAME TO pg_group', { readOnly: false })
  })

  it('may use a column after a dot, even one named like a table, an enum or a function that SQL cannot call', async () => {
    const sql =
      'SELECT x.system, x.name, x.json, x.t, x.status, x.time_stamp FROM (SELECT 1 AS system, 2 AS name, 3 AS json, 4 AS t, 5 AS status, 6 AS time_stamp) AS x'
    expect(await call(await toolsetOf('reader'), 'database_query', { sql })).toMatchObject({ rows: [[1, 2, 3, 4, 5, 6]] })
  })

  it('may use user-defined functions and types that are allowed by name, and any enum', async () => {
    const sql = "SELECT shout('a'), ('b'::text).shout, 'c'::loud, t.size_of FROM t LIMIT 1"
    expect(await call(await toolsetOf('reader'), 'database_query', { sql })).toMatchObject(failure('statement_not_allowed'))
    const toolset = await toolsetOf('reader', { functions: ['shout', 'loud', 'size_of'] })
    expect(await call(toolset, 'database_query', { sql })).toMatchObject({ rows: [['A', 'B', 'c', 1]] })
    expect(await call(toolset, 'database_query', { sql: "SELECT 'c'::t" })).toMatchObject(failure('statement_not_allowed'))
  })

  it('is read with the same quotes by the guard and the server, whatever the role sets', async () => {
    // With the backslash escapes of old PostgreSQL versions, the call would be outside the quotes.
    const sql = "SELECT '\\' || ', pg_backend_pid() --'"
    const client = await connect('backslash')
    expect(await call(new DatabaseToolset({ client }), 'database_query', { sql })).toMatchObject({
      rows: [['\\, pg_backend_pid() --']],
    })
  })

  it('is stopped in time if it keeps the parser busy, and the next statement runs', async () => {
    const toolset = new DatabaseToolset({ client: await connect('reader'), timeoutMs: 400 })
    await toolset.open()
    const sql = `SELECT ${'/*'.repeat(49_000)}`
    expect(await call(toolset, 'database_query', { sql })).toMatchObject(failure('timeout'))
    await expect.poll(() => call(toolset, 'database_query', { sql: 'SELECT 1' })).toMatchObject({ rows: [[1]] })
  })

  it('never writes, locks or reads a file if it is hostile, although its user is a superuser', async () => {
    const toolset = await toolsetOf('tester', { trusted: true })
    await read(superuser, 'CREATE SEQUENCE counted', { readOnly: false })
    const content = (await read(superuser, "SELECT pg_read_file('PG_VERSION')")).rows[0]?.[0]
    const attack = fc.constantFrom(
      ...[
        "pg_read_file('PG_VERSION')",
        "('PG_VERSION'::text).pg_read_file",
        'x.pg_read_file',
        "nextval('counted')",
        'pg_advisory_lock(1)',
      ],
      ...['"pg_read_file"($$PG_VERSION$$)', 'U&"pg\\005fread_file"(\'PG_VERSION\')', "pg_catalog.pg_read_file(E'PG_VERSION')"],
      ...[
        "lower(pg_read_file('PG_VERSION'))",
        "pg_read_file/**/('PG_VERSION')",
        "1 --\r, pg_read_file('PG_VERSION')",
        'lower(x)',
        '1',
      ],
    )
    const around = fc.constantFrom<[string, string]>(
      ...([
        ['SELECT ', ''],
        ['SELECT ', " FROM (SELECT 'PG_VERSION'::text AS y) AS z, lower('PG_VERSION') AS x"],
        ['SELECT (', ")::text FROM unnest(ARRAY['PG_VERSION']) AS x"],
        ['SELECT (SELECT ', ") FROM unnest(ARRAY['PG_VERSION']) AS x"],
        ['WITH x AS (SELECT 1) SELECT CASE WHEN true THEN ', ' END FROM x'],
        ['SELECT count(*), max(', ") FROM unnest(ARRAY['PG_VERSION']) AS x"],
        ['SELECT $$', '$$'],
        ['VALUES (', ')'],
        ['EXPLAIN ANALYZE SELECT ', ''],
        ['SELECT $\u00a0$ $\u00a0$, ', ''],
        ['WITH d AS (DELETE FROM t RETURNING ', ') SELECT * FROM d'],
        ["SELECT * FROM unnest(ARRAY['PG_VERSION']) AS x ORDER BY ", ''],
        ["SELECT ts_rewrite('a'::tsquery, $q$SELECT 'a'::tsquery, ", '::text::tsquery$q$)'],
      ] satisfies [string, string][]),
    )
    const noise = fc.constantFrom(
      '',
      '',
      ' -- ',
      ' /* */ ',
      ' ; ',
      "'",
      '"',
      '\r',
      '\n',
      '\u00a0',
      ' UNION ALL SELECT NULL',
      ' INTO made',
      ' FOR UPDATE',
    )
    await fc.assert(
      fc.asyncProperty(around, attack, noise, noise, async ([before, after], attacked, first, last) => {
        const sql = `${before}${first}${attacked}${after}${last}`
        const answer = (await call(toolset, 'database_query', { sql })) as { code?: string; rows?: unknown[][] }
        expect(answer.code ?? 'execution_failed').toBe('execution_failed')
        expect(answer.rows?.flat() ?? []).not.toContain(content)
      }),
      { numRuns: process.env.X_FULL ? 2000 : 75 },
    )
    await expectUnchanged(superuser)
    const left = `SELECT (SELECT is_called FROM counted), to_regclass('made'), count(*) FROM pg_locks WHERE locktype = 'advisory'`
    expect((await read(superuser, left)).rows).toEqual([[false, null, 0]])
  })

  it('needs the package of the parser, unlike a toolset that takes no SQL', async () => {
    const own = { dialect: 'postgres' as const, run: superuser.run, close: async () => {} }
    const folder = mkdtempSync(join(tmpdir(), 'toolset-parser-'))
    const script = join(folder, 'postgres-parser-worker.js')
    copyFileSync(new URL('./postgres-parser-worker.js', import.meta.url), script)
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const without = () => guarded(own, { script: pathToFileURL(script) })
    const words = expect.stringContaining('npm i libpg-query')
    for (const access of ['query', 'execute'] as const) {
      const make = (source: ClientSource) => new DatabaseToolset({ client: source, access, trusted: true })
      expect(() => make(own)).toThrow(expect.objectContaining({ code: 'invalid_definition', message: words }))
      await expect(make(() => own).open()).rejects.toMatchObject({ code: 'invalid_definition', message: words })
      await expect(make(without).open()).rejects.toMatchObject({ message: words })
      const wrapped = guardPostgres(own)
      await make(wrapped).open()
      await wrapped.close()
    }
    for (const client of [own, without()]) {
      const toolset = new DatabaseToolset({ client, access: 'select' })
      await toolset.open()
      const args = { table: 't', limit: 1, order_by: [{ column: 'id' }] }
      expect(await call(toolset, 'database_select', args)).toMatchObject({ rows: [[1, 'one']] })
    }
    rmSync(folder, { recursive: true })
  })
})
