import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPglite } from '../pglite.ts'
import type { SqlClient, SqlStatement } from './sql-client.ts'
import { behavesAsAClient, expectUnchanged, failure, read, until } from './test-contract.ts'
import { behavesAsPostgres } from './test-contract-postgres.ts'
import { behavesAsAToolset, TOOLSET_SETUP } from './test-toolset.ts'

describe('pglite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolset-pglite-'))
  let shared: SqlClient
  const write = (sql: string, options: Partial<SqlStatement> = {}) => read(shared, sql, { readOnly: false, ...options })
  /** Whether `linger` has made this file: the engine serves nobody else meanwhile. */
  const hasMade = (file: string) => existsSync(join(folder, 'data', file))
  beforeAll(async () => {
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
  behavesAsAToolset({ name: 'pglite', client: () => shared })
  behavesAsPostgres({ name: 'pglite', client: () => shared })

  it('DB-07 (pglite): stops pg_sleep, which the engine itself would not', async () => {
    await read(shared, 'SELECT 1')
    await expect(read(shared, 'SELECT pg_sleep(1e6)', { timeoutMs: 200 })).rejects.toMatchObject(failure('timeout'))
    await expectUnchanged(shared)
  })

  it('says that the outcome is unknown when it is stopped while it commits', async () => {
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

  it('DB-08 (pglite): reaches no file of the machine', async () => {
    for (const sql of [
      "SELECT pg_read_file('/etc/hostname')",
      "COPY t TO '/tmp/t'",
      "COPY t FROM '/tmp/t'",
      "SELECT lo_export(1, 'x')",
    ])
      for (const readOnly of [true, false])
        await expect(read(shared, sql, { readOnly })).rejects.toMatchObject(failure('statement_not_allowed'))
    await expectUnchanged(shared)
  })
})
