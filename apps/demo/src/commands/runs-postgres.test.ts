import { POSTGRES_MISSING, startPostgres, type TestPostgres } from '@x/test-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtDemo } from '../../test/build.ts'
import { programIn } from '../../test/program.ts'
import { readBookings } from '../example-runs/bank.ts'

const { run } = programIn(await builtDemo())

/**
 * Node options that add a timer that never fires. DBOS leaves a ten-second timer behind, so the program must exit although timers are
 * pending.
 */
const NEVER_ENDS_BY_ITSELF = ['--import', 'data:text/javascript,setInterval(() => {}, 1_000_000_000)']
const PAY = 'Pay 86.40 dollars to Northwind Energy out of checking'

describe.skipIf(POSTGRES_MISSING !== '')(`a durable run on DBOS ${POSTGRES_MISSING}`, () => {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const demo = (...words: string[]) =>
    run([...words, '--durable', 'dbos'], { environment: { DATABASE_URL: server.url }, flags: NEVER_ENDS_BY_ITSELF })

  it('waits, is approved by another process, and books the payment in a third one', async () => {
    const asked = await demo('ask', PAY, '--id', 'errand')
    expect([asked.code, asked.err, asked.out.includes('runs resume errand --durable dbos\n')]).toEqual([0, '', true])
    expect((await demo('runs')).out).toMatch(/^errand {2}waiting/m)
    expect((await demo('runs', 'approve', 'errand', '--edit', '{"amount":80}')).code).toBe(0)
    const resumed = await demo('runs', 'resume')
    expect([resumed.code, resumed.out]).toEqual([0, expect.stringMatching(/call {5}pay_bill .*"amount":80[\s\S]*answer/)])
    const place = { kind: 'postgres', url: server.url, schema: 'x_demo', isTemporary: false } as const
    expect(await readBookings(place)).toEqual(['$80.00 from checking to Northwind Energy'])
    expect((await demo('runs', 'approve', 'errand')).err).toContain('has ended (finished)')
  })
})

describe('an engine that is not available', () => {
  it('is reported in one line, with the fix', async () => {
    const nowhere = { RESTATE_INGRESS_URL: 'http://127.0.0.1:4', RESTATE_ADMIN_URL: 'http://127.0.0.1:4' }
    // Both are started at once, because each waits before it retries.
    const [dbos, restate] = await Promise.all([
      run(['runs', '--durable', 'dbos'], { environment: { DATABASE_URL: 'postgres://a:secret@127.0.0.1:1/x' } }),
      run(['runs', '--durable', 'restate'], { environment: nowhere }),
    ])
    expect([dbos.code, dbos.err]).toEqual([
      1,
      expect.stringMatching(/^[^\n]*\. Start PostgreSQL and check DATABASE_URL[^\n]*\n$/),
    ])
    expect(dbos.err).not.toContain('secret')
    expect([restate.code, restate.err]).toEqual([1, expect.stringMatching(/^[^\n]*\. Start its server \(npx [^\n]*\n$/)])
  })
})
