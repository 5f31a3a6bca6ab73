import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { failure } from '../../test/database/contract.ts'
import { driverMissing, isMissing } from './database-error.ts'
import { createPgliteClient } from './pglite/pglite-client.ts'
import { createSqliteClient } from './sqlite/sqlite-client.ts'

describe('a missing driver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolset-driver-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Returns the address of the worker in a folder without any package. */
  function elsewhere(worker: string): URL {
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const script of [worker, 'sqlite/sqlite-lock.js']) cpSync(new URL(script, import.meta.url), join(folder, script))
    return pathToFileURL(join(folder, worker))
  }

  it('is reported for SQLite, with the command that installs the driver', async () => {
    const opening = createSqliteClient({ file: ':memory:', readOnly: false, script: elsewhere('sqlite/sqlite-worker.js') })
    await expect(opening).rejects.toMatchObject({
      ...failure('driver_missing'),
      message: 'The package "node-sqlite3-wasm" is not installed. To fix: npm i node-sqlite3-wasm',
    })
  })

  it('is reported for PGlite, with the command that installs the driver', async () => {
    const opening = createPgliteClient({ folder: undefined, script: elsewhere('pglite/pglite-worker.js') })
    await expect(opening).rejects.toMatchObject({
      ...failure('driver_missing'),
      message: 'The package "@electric-sql/pglite" is not installed. To fix: npm i @electric-sql/pglite',
    })
  })

  it('is distinguished, for PostgreSQL, from a missing package that the driver itself needs', () => {
    const error = Object.assign(new Error("Cannot find package 'pg' imported from /somewhere"), { code: 'ERR_MODULE_NOT_FOUND' })
    expect(isMissing(error, 'pg')).toBe(true)
    expect(isMissing(error, 'pg-types')).toBe(false)
    expect(driverMissing('pg', error)).toMatchObject({
      ...failure('driver_missing'),
      message: expect.stringContaining('npm i pg'),
    })
  })
})
