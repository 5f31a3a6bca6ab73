import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectUnchanged, read, SETUP } from '../../test/database/contract.ts'
import { openSqlite } from '../sqlite.ts'
import type { SqlClient } from './sql-client.ts'

describe('read-only SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolset-read-only-'))
  let client: SqlClient
  beforeAll(async () => {
    client = await openSqlite({ file: ':memory:', setup: SETUP })
  })
  afterAll(async () => {
    await client.close()
    rmSync(folder, { recursive: true, force: true })
  })

  // The weakest case: in memory, where the connection itself could write, and without a check of the text.
  it('sqlite in memory: changes nothing for a hostile text', async () => {
    const file = join(folder, 'made.db')
    const piece = fc.constantFrom(
      ...[
        'DELETE FROM t',
        'UPDATE t SET label = 1',
        "INSERT INTO t VALUES (4, 'x')",
        'REPLACE INTO t VALUES (1, 2)',
        'DROP TABLE t',
      ],
      ...[
        'PRAGMA query_only = 0',
        'PRAGMA writable_schema = 1',
        'COMMIT',
        'END',
        'ROLLBACK',
        'BEGIN',
        'SAVEPOINT s',
        'RELEASE s',
      ],
      ...[
        'WITH x AS (SELECT 1)',
        'SELECT 1',
        'SELECT * FROM t',
        'EXPLAIN',
        'EXPLAIN QUERY PLAN',
        'RETURNING *',
        'VACUUM',
        'ANALYZE',
      ],
      ...[`ATTACH '${file}' AS m`, `VACUUM INTO '${file}'`, 'CREATE TABLE m.u (a)', 'CREATE TEMP TABLE t (id, label)', 'REINDEX'],
      ...['ALTER TABLE t RENAME TO u', 'CREATE TRIGGER r AFTER INSERT ON t BEGIN', 'CREATE VIEW v AS', 'DETACH main'],
      ...[';', ';', '--', '\n', '/*', '*/', "'", '"', '(', ')', '`', '[', ']', '$1', '\u00a0', ''],
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(' ', '', ';'),
        async (pieces, separator) => {
          await read(client, pieces.join(separator), { maxRows: 5 }).catch((error) => expect(error.code).toBe('execution_failed'))
          await expectUnchanged(client)
        },
      ),
      { numRuns: 300 },
    )
    expect((await read(client, 'SELECT count(*) FROM sqlite_schema')).rows).toEqual([[1]])
    expect(readdirSync(folder)).toEqual([])
  })
})
