import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBookings } from '../runs/bank.ts'
import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import { buildDemo, testFolder } from '../test-build.ts'
import { programIn } from '../test-program.ts'

const dist = testFolder('runs-postgres')
const folder = mkdtempSync(join(tmpdir(), 'demo-runs-'))
const { run } = programIn(dist)

beforeAll(() => buildDemo(dist), 60_000)

afterAll(() => {
  for (const path of [dist, folder]) rmSync(path, { recursive: true, force: true })
})

const PAY = 'Pay 86.40 dollars to Northwind Energy out of checking'

describe.skipIf(POSTGRES_MISSING !== '')(`a durable run on DBOS ${POSTGRES_MISSING}`, () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())

  const demo = (...words: string[]) => run([...words, '--durable', 'dbos'], { environment: { DATABASE_URL: server.url } })

  it('waits, is decided by another process, and books in a third one what was approved', { timeout: 60_000 }, async () => {
    const began = performance.now()
    const asked = await demo('ask', PAY, '--id', 'errand')
    expect([asked.code, asked.err, asked.out.includes('runs resume errand --durable dbos\n')]).toEqual([0, '', true])
    // Its engine leaves a timer of ten seconds behind.
    expect(performance.now() - began).toBeLessThan(8000)
    expect((await demo('runs')).out).toMatch(/^errand {2}waiting/m)
    expect((await demo('runs', 'approve', 'errand', '--edit', '{"amount":80}')).code).toBe(0)
    const resumed = await demo('runs', 'resume')
    expect([resumed.code, resumed.out]).toEqual([0, expect.stringMatching(/call {5}pay_bill .*"amount":80[\s\S]*answer/)])
    const place = { kind: 'postgres', url: server.url, schema: 'x_demo', isTemporary: false } as const
    expect(await readBookings(place)).toEqual(['$80.00 from checking to Northwind Energy'])
    expect((await demo('runs', 'approve', 'errand')).err).toContain('is over (finished)')
  })
})

describe('an engine that is not there', () => {
  it('is told in one line, with the way out', { timeout: 60_000 }, async () => {
    const dbos = await run(['runs', '--durable', 'dbos'], { environment: { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/x' } })
    expect([dbos.code, dbos.err]).toEqual([1, expect.stringMatching(/^[^\n]*\. Start PostgreSQL, and look whether [^\n]*\n$/)])
    expect(dbos.err).not.toContain('secret')
    const environment = { RESTATE_INGRESS_URL: 'http://127.0.0.1:4', RESTATE_ADMIN_URL: 'http://127.0.0.1:4' }
    const restate = await run(['runs', '--durable', 'restate'], { environment })
    expect([restate.code, restate.err]).toEqual([1, expect.stringMatching(/^[^\n]*\. Start its server \(npx [^\n]*\n$/)])
  })
})
