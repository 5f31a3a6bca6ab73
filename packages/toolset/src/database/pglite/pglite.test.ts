import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markOf } from '@x/file-owner'
import { initialize } from '@x/test-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { behavesAsAClient, expectUnchanged, failure, read, until } from '../../../test/database/contract.ts'
import { behavesAsPostgres } from '../../../test/database/contract-postgres.ts'
import { behavesAsAToolset, call, DatabaseToolset, TOOLSET_SETUP } from '../../../test/database/toolset.ts'
import { openPglite } from '../../pglite.ts'
import { FUNCTIONS } from '../postgres-guard/postgres-names.ts'
import type { SqlClient, SqlStatement } from '../sql-client.ts'

describe('pglite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolset-pglite-'))
  let shared: SqlClient
  const write = (sql: string, options: Partial<SqlStatement> = {}) => read(shared, sql, { readOnly: false, ...options })
  /** True if `linger` has created this file. Until it ends, the engine runs no other statement. */
  const hasMade = (file: string) => existsSync(join(folder, 'data', file))
  beforeAll(async () => {
    const data = join(folder, 'data')
    await initialize('pglite', data, async () => (await openPglite({ folder: data })).close())
    cpSync(data, join(folder, 'copy'), { recursive: true })
    shared = await openPglite({ folder: join(folder, 'data'), setup: TOOLSET_SETUP })
    await write(`CREATE FUNCTION linger(file TEXT) RETURNS VOID LANGUAGE plpgsql AS $$ BEGIN
      EXECUTE 'COPY (SELECT 1) TO ' || quote_literal(current_setting('data_directory') || '/' || file);
      PERFORM pg_sleep(1e6);
    END $$`)
  })
  afterAll(async () => {
    await shared?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const endless = { sql: "SELECT linger('reading')", isRunning: () => hasMade('reading') }
  behavesAsAClient({ name: 'pglite', client: () => shared, endless })
  behavesAsAToolset({ name: 'pglite', dialect: 'postgres', client: () => shared })
  behavesAsPostgres({ name: 'pglite', client: () => shared })

  it('pglite: stops pg_sleep, which the engine itself cannot stop', async () => {
    await read(shared, 'SELECT 1')
    await expect(read(shared, 'SELECT pg_sleep(1e6)', { timeoutMs: 200 })).rejects.toMatchObject(failure('timeout'))
    await expectUnchanged(shared)
  })

  it('reports outcome_unknown if it is stopped during a commit', async () => {
    await write('CREATE TABLE slow (a INTEGER)')
    await write(`CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM linger('committing');
      RETURN NULL;
    END $$`)
    await write(`CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION linger()`)
    const caller = new AbortController()
    const broken = write('INSERT INTO slow VALUES (1)', { signal: caller.signal }).catch((error) => error)
    await until(() => hasMade('committing'))
    caller.abort()
    expect(await broken).toMatchObject(failure('outcome_unknown'))
    await write('DROP TABLE slow')
    await expectUnchanged(shared)
  })

  it('pglite: refuses SQL from a model without `trusted`, because its user is always a superuser', async () => {
    const untrusted = new DatabaseToolset({ client: shared })
    await expect(untrusted.open()).rejects.toMatchObject({
      code: 'invalid_definition',
      message: expect.stringMatching(/always a superuser in PGlite.*trusted: true/),
    })
    expect(await call(untrusted, 'database_query', { sql: 'SELECT 1' })).toMatchObject({ code: 'invalid_definition' })
    await new DatabaseToolset({ client: shared, access: 'select' }).open()
    await new DatabaseToolset({ client: shared, trusted: true }).open()
  })

  it('pglite: does not let even trusted SQL reach files of the machine or of the database', async () => {
    const version = join(folder, 'data', 'PG_VERSION')
    const before = readFileSync(version, 'utf8')
    const trusted = new DatabaseToolset({ client: shared, access: 'execute', trusted: true })
    for (const sql of [
      "SELECT 1 --\r, lo_from_bytea(4242, 'broken')",
      "SELECT 1 --\r, lo_export(4242, '/pglite/data/PG_VERSION')",
      "SELECT ('PG_VERSION'::text).pg_read_file",
      "SELECT x.pg_read_file FROM lower('A') AS x",
      "SELECT word FROM ts_stat($q$SELECT to_tsvector('simple', pg_read_file('PG_VERSION'))$q$)",
      "COPY t TO '/pglite/data/PG_VERSION'",
      "COPY t FROM '/tmp/t'",
    ])
      for (const tool of ['database_query', 'database_execute'])
        expect(await call(trusted, tool, { sql })).toMatchObject(failure('statement_not_allowed'))
    expect(readFileSync(version, 'utf8')).toBe(before)
    await expectUnchanged(shared)
  })

  // PGlite lets a superuser change PostgreSQL's own tables.
  it.each([
    'ALTER TABLE pg_catalog.pg_proc RENAME TO procs',
    'ALTER VIEW pg_catalog.pg_settings RENAME TO settings',
    'ALTER TABLE information_schema.sql_features ADD COLUMN b int',
    'TRUNCATE pg_largeobject',
    'CREATE INDEX i ON pg_class (relname)',
    'CREATE TABLE x (a int) INHERITS (pg_class)',
    'CREATE TABLE x (a oid REFERENCES pg_class)',
    'CREATE TABLE pg_catalog.x (a int)',
    'CREATE OR REPLACE VIEW pg_roles AS SELECT 1 AS rolname',
    'ALTER TABLE labels RENAME TO pg_roles',
    'DROP VIEW pg_catalog.pg_roles CASCADE',
    'DROP TABLE information_schema.sql_features',
  ])("pglite: does not let even trusted SQL change PostgreSQL's own relations: %s", async (sql) => {
    const trusted = new DatabaseToolset({ client: shared, access: 'execute', trusted: true })
    const relations = async () =>
      (await read(shared, "SELECT string_agg(oid || relname || relnatts, ' ' ORDER BY oid) FROM pg_class")).rows
    const before = await relations()
    expect(await call(trusted, 'database_execute', { sql })).toMatchObject(failure('statement_not_allowed'))
    expect(await relations()).toEqual(before)
  })

  it("pglite: does not let even trusted SQL change PostgreSQL's own tables through a view", async () => {
    await write('CREATE VIEW classes AS SELECT * FROM pg_class')
    await write('CREATE VIEW over_classes AS SELECT * FROM classes')
    const trusted = new DatabaseToolset({ client: shared, access: 'execute', trusted: true })
    for (const sql of ['DELETE FROM classes WHERE false', 'UPDATE over_classes SET relname = relname WHERE false'])
      expect(await call(trusted, 'database_execute', { sql })).toMatchObject(failure('statement_not_allowed'))
    expect(await call(trusted, 'database_query', { sql: 'SELECT count(*) > 1 FROM over_classes' })).toMatchObject({
      rows: [[true]],
    })
    await write('DROP VIEW over_classes')
    await write('DROP VIEW classes')
  })

  it('allows only functions that PostgreSQL declares as pure, except for a few', async () => {
    const names = [...FUNCTIONS].map((name) => `'${name}'`).join()
    const sql = `SELECT DISTINCT proname FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND provolatile = 'v'
      AND proname IN (${names}) ORDER BY 1`
    const { rows } = await read(shared, sql)
    // These return random values, the time, or sizes.
    expect(rows.map(([name]) => name)).toEqual([
      ...['array_sample', 'array_shuffle', 'clock_timestamp', 'gen_random_uuid', 'pg_database_size', 'pg_indexes_size'],
      ...['pg_relation_size', 'pg_table_size', 'pg_total_relation_size', 'random', 'timeofday', 'uuidv4', 'uuidv7'],
    ])
    const behind = `SELECT proname FROM pg_proc WHERE provolatile = 'v' AND (oid IN (SELECT oprcode FROM pg_operator)
      OR oid IN (SELECT castfunc FROM pg_cast) OR oid IN (SELECT typinput FROM pg_type))`
    expect((await read(shared, behind)).rows).toEqual([])
  })

  it('is open in one process at a time, and in the next one after that has ended', async () => {
    const own = join(folder, 'own')
    const link = join(folder, 'link')
    symlinkSync(join(folder, 'data'), link)
    for (const taken of [join(folder, 'data'), link])
      await expect(openPglite({ folder: taken })).rejects.toMatchObject(failure('busy'))
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    writeFileSync(`${own}.owner`, JSON.stringify(markOf(other.pid as number)))
    const error = await openPglite({ folder: own, waitMs: 100 }).catch((thrown) => thrown)
    expect(error).toMatchObject({ ...failure('busy'), message: expect.stringContaining('another program has opened it') })
    expect(existsSync(own)).toBe(false)
    other.kill('SIGKILL')
    await once(other, 'exit')
    renameSync(join(folder, 'copy'), own)
    const client = await openPglite({ folder: own })
    expect(JSON.parse(readFileSync(`${own}.owner`, 'utf8'))).toEqual(markOf(process.pid))
    await client.close()
    expect(existsSync(`${own}.owner`)).toBe(false)
    writeFileSync(join(folder, 'file'), '')
    await expect(openPglite({ folder: join(folder, 'file') })).rejects.toMatchObject(failure('cannot_connect'))
  })
})
