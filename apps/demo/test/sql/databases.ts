/** Runs a suite on SQLite and on PostgreSQL. If no server is installed, the title of the skipped half says so. */
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { createDatabase, type Database } from '../../src/sql/database.ts'
import { type DatabasePlace, IN_MEMORY } from '../../src/sql/place.ts'

/** Opens a database, which is closed after the test. Default: a new, empty one. */
export type OpenDatabase = (place?: DatabasePlace) => Database

export function onSqlite(define: (open: OpenDatabase) => void): void {
  describe('on SQLite', () => define(opener(() => ({ kind: 'sqlite', file: IN_MEMORY }))))
}

export function onPostgres(define: (open: OpenDatabase, server: () => string) => void): void {
  describe.skipIf(POSTGRES_MISSING)(`on PostgreSQL${POSTGRES_MISSING && ` (skipped: ${POSTGRES_MISSING})`}`, () => {
    let server: TestPostgres | undefined
    let schemas = 0
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server?.[Symbol.asyncDispose]())
    const url = () => server?.url ?? ''
    define(
      opener(() => ({ kind: 'postgres', url: url(), schema: `test_${++schemas}`, isTemporary: true })),
      url,
    )
  })
}

export function onEveryDatabase(define: (open: OpenDatabase) => void): void {
  onSqlite(define)
  onPostgres(define)
}

function opener(newPlace: () => DatabasePlace): OpenDatabase {
  const opened: Database[] = []
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()))
  })
  return (place = newPlace()) => {
    const database = createDatabase(place)
    opened.push(database)
    return database
  }
}
