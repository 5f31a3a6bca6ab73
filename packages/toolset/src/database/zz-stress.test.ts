import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'vitest'
import { openPglite } from '../pglite.ts'
import { openSqlite } from '../sqlite.ts'
import { read } from './test-contract.ts'
it('sqlite', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'zz-'))
  const c = await openSqlite({ file: join(dir, 'x'), readOnly: false, setup: 'CREATE TABLE t(id INTEGER)' })
  for (let i = 0; i < 150; i++) { await read(c, 'SELECT 1'); await read(c, 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c', { timeoutMs: 1 + Math.random() * 100 }).catch(() => {}) }
  await c.close()
})
it('pglite', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'zz-'))
  const c = await openPglite({ folder: join(dir, 'data') })
  for (let i = 0; i < 60; i++) { await read(c, 'SELECT 1'); await read(c, 'SELECT pg_sleep(1e6)', { timeoutMs: 1 + Math.random() * 200 }).catch(() => {}) }
  await c.close()
})
