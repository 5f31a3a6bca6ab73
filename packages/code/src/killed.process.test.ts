import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { POSTGRES_MISSING, startPostgres } from '@x/test-postgres'
import { describe, onTestFinished } from 'vitest'
import { itSurvivesKills } from '../test/killed/kills.ts'

itSurvivesKills('files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'code-runs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { place: { engine: 'files', folder } }
})

const suffix = POSTGRES_MISSING === '' ? '' : ` (skipped: ${POSTGRES_MISSING})`
describe.skipIf(POSTGRES_MISSING !== '')(`with PostgreSQL${suffix}`, () => {
  itSurvivesKills('DBOS', async () => {
    const postgres = await startPostgres()
    onTestFinished(() => postgres[Symbol.asyncDispose]())
    return { place: { engine: 'dbos', databaseUrl: postgres.url } }
  })
})
