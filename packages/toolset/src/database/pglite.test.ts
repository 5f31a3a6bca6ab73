import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPglite } from '../pglite.ts'
import type { SqlClient } from './sql-client.ts'
import { behavesAsAClient, expectUnchanged, failure, read } from './test-contract.ts'
import { behavesAsPostgres } from './test-contract-postgres.ts'
import { behavesAsAToolset, TOOLSET_SETUP } from './test-toolset.ts'

describe('pglite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolset-pglite-'))
  let shared: SqlClient
  beforeAll(async () => {
    shared = await openPglite({ folder: join(folder, 'data'), setup: TOOLSET_SETUP })
  }, 120_000)
  afterAll(async () => {
    await shared?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  behavesAsAClient({ name: 'pglite', client: () => shared, survivesTimeouts: true })
  behavesAsAToolset({ name: 'pglite', client: () => shared })
  behavesAsPostgres({ name: 'pglite', client: () => shared })

  it('DB-07 (pglite): stops pg_sleep, which the engine itself would not', async () => {
    await expect(read(shared, 'SELECT pg_sleep(1e6)', { timeoutMs: 200 })).rejects.toMatchObject(failure('timeout'))
    await expectUnchanged(shared)
  })

  it('says that the outcome is unknown when it is stopped while it commits', async () => {
    const write = (sql: string, timeoutMs = 5000) => read(shared, sql, { readOnly: false, timeoutMs })
    await write('CREATE TABLE slow (a INTEGER)')
    await write(`CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1e6); RETURN NULL; END'`)
    await write(`CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION linger()`)
    await expect(write('INSERT INTO slow VALUES (1)', 500)).rejects.toMatchObject(failure('outcome_unknown'))
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
