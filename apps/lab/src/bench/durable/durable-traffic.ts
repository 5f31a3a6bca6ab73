/** Counts what a turn costs on PostgreSQL, and times the replay of a run, for DBOS by hand and for ours. */
import { tmpdir } from 'node:os'
import pg from 'pg'
import type { Table } from '../bench.ts'
import { startCountingProxy, type Traffic } from './counting-proxy.ts'
import { DurableScript } from './durable-script.ts'
import { type Server, urlOf } from './durable-servers.ts'
import type { DurableSubject, Effect } from './durable-workload.ts'

/** Many, so that the start and the end of the run don't count for much. */
const TURNS = 100
/** Odd, so that the median is one of the measured values. */
const REPLAYS = 3

const HEAD = [
  'DBOS, for each turn',
  'records',
  'round trips',
  'bytes to PostgreSQL',
  'bytes from it',
  'bytes of WAL',
  'us to replay',
  'round trips to replay',
]

export async function tabulateTraffic(postgres: Server): Promise<Table> {
  const title = `A turn on PostgreSQL: one model call and one tool call, in a run of ${TURNS} turns`
  if ('missing' in postgres) return { title: `${title}. Skipped: ${postgres.missing}`, head: HEAD, rows: [] }
  const { dbosByHand, dbosOwn } = await import('./durable-dbos.ts')
  const url = urlOf(postgres)
  const rows = [
    ['by hand', ...(await measure(dbosByHand, url, 'read'))],
    ['@x/durable, reads', ...(await measure(dbosOwn, url, 'read'))],
    ['@x/durable, writes', ...(await measure(dbosOwn, url, 'idempotent'))],
  ]
  return { title, head: HEAD, rows }
}

async function measure(subject: DurableSubject, databaseUrl: string, effect: Effect): Promise<readonly number[]> {
  await using proxy = await startCountingProxy(databaseUrl)
  const script = new DurableScript(TURNS, 1)
  const times: number[] = []
  const traffics: Traffic[] = []
  const runs = await subject.open({
    ...{ script, tools: { add: effect }, folder: tmpdir() },
    servers: { postgres: { url: proxy.url }, restate: { missing: 'it is not used.' } },
    async timed(fn) {
      const before = proxy.traffic
      const started = performance.now()
      try {
        return await fn()
      } finally {
        times.push(performance.now() - started)
        traffics.push(differenceOf(proxy.traffic, before))
      }
    },
  })
  try {
    await script.check(() => runs.run('warm-up'))
    const wal = await walOf(databaseUrl)
    await script.check(() => runs.run('counted'))
    const walBytes = (await walOf(databaseUrl)) - wal
    const { roundTrips, sent, received } = traffics.at(-1) as Traffic
    const records = (await runs.recorded('counted'))?.split('\n').length ?? 0
    const replays: { readonly ms: number; readonly roundTrips: number }[] = []
    for (let index = 0; index < REPLAYS; index++) {
      const { length } = times
      await runs.replay?.(`replay-${index}`)
      // The first call of the function executed the turns, and the second one replayed them.
      replays.push({ ms: times[length + 1] as number, roundTrips: (traffics[length + 1] as Traffic).roundTrips })
    }
    replays.sort((one, other) => one.ms - other.ms)
    const { ms, roundTrips: replayed } = replays[Math.floor(REPLAYS / 2)] as (typeof replays)[number]
    return [
      ...[records, roundTrips, sent, received, walBytes].map((total) => total / TURNS),
      (ms * 1000) / TURNS,
      replayed / TURNS,
    ]
  } finally {
    await runs.close()
  }
}

function differenceOf(after: Traffic, before: Traffic): Traffic {
  return {
    roundTrips: after.roundTrips - before.roundTrips,
    sent: after.sent - before.sent,
    received: after.received - before.received,
  }
}

/** Returns the position in the server's write-ahead log, in bytes. */
async function walOf(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query("SELECT pg_current_wal_lsn() - '0/0' AS bytes")
    return Number(rows[0].bytes)
  } finally {
    await client.end()
  }
}
