/** Cases in which worker processes are killed, suspended and replaced, and in which the server is killed. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DurableEngine } from '../engine/engine.ts'
import { type Case, newStore, poll, pollWaiting, seededRandom } from './case.ts'
import { Fleet } from './fleet.ts'
import { type ContractInput, FIVE_STEPS } from './functions.ts'
import { countOf, doubledRows, repeatedSteps } from './log.ts'

const MINUTES = 60_000
/** Default of the option `maxCrashes`. */
const CRASHES = 5
const POINTS = [
  ...FIVE_STEPS.flatMap((step) => ['before', 'executing', 'executed', 'given'].map((point) => `${point} ${step}`)),
  // At this point, the row is written but the step isn't recorded yet.
  'written payment',
]

export const processCases: readonly Case[] = [
  {
    name: 'an idle worker process stays alive and executes later runs',
    timeoutMs: 10 * MINUTES,
    async run(harness) {
      const store = newStore()
      await using fleet = new Fleet(harness, { store, functionName: 'fiveSteps', stepMs: 1, killAt: {} })
      await fleet.keep(1)
      const { pid } = fleet.oldest()
      await sleep(1500)
      assert.deepEqual(fleet.failures, [])
      await using client = await harness.open<ContractInput, string>(store)
      await runAll(client, numbered(1))
      assert.equal(fleet.oldest().pid, pid)
      return checked(fleet, 1)
    },
  },
  {
    name: 'runs whose processes are killed at different points all end correctly, and no recorded step is repeated',
    timeoutMs: 20 * MINUTES,
    async run(harness) {
      const store = newStore()
      const points = shuffled(harness.quick ? POINTS.filter((_, index) => index % 3 === 0) : POINTS)
      const ids = numbered(points.length)
      const killAt = Object.fromEntries(ids.map((id, index) => [id, points[index] as string]))
      await using fleet = new Fleet(harness, { store, functionName: 'fiveSteps', stepMs: 20, killAt })
      await fleet.keep(2)
      await using client = await harness.open<ContractInput, string>(store)
      await runAll(client, ids)
      await fleet.untilKilled(points.length)
      return checked(fleet, points.length)
    },
  },
  {
    name: 'runs whose processes are killed at random times all end correctly, and no recorded step is repeated',
    timeoutMs: 20 * MINUTES,
    async run(harness) {
      const store = newStore()
      const random = seededRandom(1)
      const ids = numbered(harness.quick ? 6 : 40)
      await using fleet = new Fleet(harness, { store, functionName: 'fiveSteps', stepMs: 20, killAt: {} })
      await fleet.keep(2)
      await using client = await harness.open<ContractInput, string>(store)
      for (const id of ids) {
        await client.start(id, { amount: 7 })
        await sleep(random() * 400)
        await fleet.kill(fleet.oldest())
      }
      await runAll(client, ids)
      assert.equal(fleet.kills, ids.length)
      return checked(fleet, ids.length)
    },
  },
  {
    name: 'a run that kills its workers is given up, and the other runs end correctly',
    timeoutMs: 10 * MINUTES,
    async run(harness) {
      const store = newStore()
      const ids = numbered(harness.quick ? 10 : 60)
      await using fleet = new Fleet(harness, { store, functionName: 'fiveSteps', stepMs: 20, killAt: {}, poisonous: 'poison' })
      await fleet.keep(2)
      await using client = await harness.open<ContractInput, string>(store)
      await client.start('poison', { amount: 7 })
      await runAll(client, ids)
      const { givenUp = 'failed' } = harness
      await poll(async () => (await client.status('poison'))?.state === givenUp)
      assert.equal((await client.status('poison'))?.failure?.code, 'worker_crashed')
      if (givenUp === 'failed') {
        // The run has ended, so this has no effect.
        await client.cancel('poison')
        await assert.rejects(client.result('poison'), (error: { code?: unknown; failure?: { code?: unknown } }) => {
          assert.deepEqual([error.code, error.failure?.code], ['run_failed', 'worker_crashed'])
          return true
        })
      }
      await fleet.untilKilled(CRASHES)
      await client.retry('poison')
      assert.match((await client.status('poison'))?.state ?? '', /^(queued|running)$/)
      await client.cancel('poison')
      await assert.rejects(client.retry('poison'), { code: 'run_ended' })
      await assert.rejects(client.retry('missing'), { code: 'unknown_run' })
      await client.retry(ids[0] as string).catch((cause) => assert.equal(cause.code, 'run_ended'))
      return checked(fleet, ids.length)
    },
  },
  {
    name: 'a stalled worker is fenced when another one has its run, and records nothing when it resumes',
    timeoutMs: 10 * MINUTES,
    fits: ({ stalled }) => stalled === 'taken over',
    async run(harness) {
      const store = newStore()
      // The worker suspends itself inside a step. If this process suspended it, it could already have sent the record, or not yet have created
      // the file that keeps the next worker from suspending itself too.
      const settings = { store, functionName: 'fiveSteps', stepMs: 700, killAt: {}, stalling: 'stalls' } as const
      await using fleet = new Fleet(harness, settings)
      await fleet.keep(1)
      await using client = await harness.open<ContractInput, string>(store)
      const result = client.run('stalls', { amount: 7 })
      await poll(async () => fleet.notes.some(({ noted }) => noted === 'stalling'))
      const stalled = fleet.oldest()
      await fleet.untilStalled(stalled)
      harness.onStalled?.(stalled)
      const before = fleet.notes.length
      await fleet.keep(2)
      assert.equal(await result, 'paid 7')
      const after = fleet.notes.length
      stalled.kill('SIGCONT')
      await sleep(3000)
      const late = fleet.notes.slice(after)
      assert.deepEqual(late, [])
      assert.ok(fleet.notes.slice(before, after).every(({ pid }) => pid !== stalled.pid))
      assert.equal((await client.status('stalls'))?.state, 'finished')
      return checked(fleet, 1)
    },
  },
  {
    name: 'a run of a stalled worker waits for it, and no other worker executes it meanwhile',
    timeoutMs: 10 * MINUTES,
    fits: ({ stalled }) => stalled === 'waited for',
    async run(harness) {
      const store = newStore()
      await using fleet = new Fleet(harness, { store, functionName: 'fiveSteps', stepMs: 300, killAt: {} })
      await fleet.keep(1)
      await using client = await harness.open<ContractInput, string>(store)
      const result = client.run('stalls', { amount: 7 })
      await poll(async () => fleet.notes.some(({ noted, name }) => noted === 'executing' && name === 'call-look'))
      const stalled = fleet.oldest()
      await fleet.stall(stalled)
      await fleet.keep(2)
      await sleep(2000)
      stalled.kill('SIGCONT')
      assert.equal(await result, 'paid 7')
      assert.deepEqual([...new Set(fleet.notes.map(({ pid }) => pid))], [stalled.pid])
      return checked(fleet, 1)
    },
  },
  {
    name: 'all runs end correctly and every worker survives when the server is killed or stopped repeatedly',
    timeoutMs: 20 * MINUTES,
    fits: ({ restartServer }) => restartServer !== undefined,
    async run(harness) {
      const store = newStore()
      const deaths = harness.quick ? 2 : 20
      const ids = numbered(10 * deaths)
      await using fleet = new Fleet(harness, { store, functionName: 'fiveSteps', stepMs: 200, killAt: {} })
      await fleet.keep(2)
      await using client = await harness.open<ContractInput, string>(store)
      for (let death = 0; death < deaths; death++) {
        const begun = ids.slice(0, 10 * (death + 1))
        const given = countOf(fleet.notes, 'given')
        for (const id of begun.slice(-10)) await client.start(id, { amount: 7 })
        await poll(async () => countOf(fleet.notes, 'given') > given + 10)
        await harness.restartServer?.(death % 2 === 0 ? 'killed' : 'stopped')
        await runAll(client, begun)
      }
      assert.equal(fleet.kills, 0)
      return `${deaths} deaths of the server; ${checked(fleet, ids.length)}`
    },
  },
  {
    name: 'an approval after a restart of all processes continues with the approved arguments',
    timeoutMs: 10 * MINUTES,
    async run(harness) {
      const store = newStore()
      await using fleet = new Fleet(harness, { store, functionName: 'approval', stepMs: 20, killAt: {} })
      await fleet.keep(2)
      let name: string
      {
        await using client = await harness.open<ContractInput, string>(store)
        await client.start('waits', { amount: 90 })
        await pollWaiting(client, 'waits')
        const waits = (await client.status('waits'))?.waitsFor ?? []
        assert.equal(waits.length, 1)
        assert.deepEqual((waits[0]?.about as { args?: unknown } | undefined)?.args, { amount: 90 })
        name = waits[0]?.name ?? ''
      }
      await fleet.killAll()
      await harness.restartServer?.('killed')
      await fleet.keep(1)
      await using client = await harness.open<ContractInput, string>(store)
      await client.signal('waits', name, { type: 'edit', args: { amount: 80 } })
      assert.equal(await client.result('waits'), 'paid 80')
      assert.deepEqual(
        fleet.rows.map((row) => row.name),
        ['payment of 80'],
      )
      return checked(fleet, 1)
    },
  },
  {
    name: 'no run is lost or duplicated when one of 3 workers is killed every 5 seconds',
    timeoutMs: 20 * MINUTES,
    async run(harness) {
      const store = newStore()
      // With `quick`, a quarter of 200 runs and 12 kills.
      const part = harness.quick ? 0.25 : 1
      const ids = numbered(200 * part)
      await using fleet = new Fleet(harness, { store, functionName: 'fiveSteps', stepMs: 700, killAt: {} })
      await fleet.keep(3)
      await using client = await harness.open<ContractInput, string>(store)
      const end = Date.now() + part * MINUTES
      const started = (async () => {
        for (const [index, id] of ids.entries()) {
          await client.start(id, { amount: index })
          await sleep(Math.max(0, (end - Date.now()) / (ids.length - index)))
        }
      })()
      for (let kills = 0; kills < (part * MINUTES) / 5000; kills++) {
        await sleep(5000)
        await fleet.kill(fleet.oldest())
      }
      await started
      await runAll(client, ids, (index) => index)
      const finished = await client.list({ state: 'finished', limit: 1000 })
      assert.equal(finished.length, ids.length)
      return `${fleet.kills} workers killed; ${checked(fleet, ids.length)}`
    },
  },
]

/** Executes all runs concurrently and checks their outputs. */
async function runAll(
  client: DurableEngine<ContractInput, string>,
  ids: readonly string[],
  amountOf = (_: number) => 7,
): Promise<void> {
  const outputs = await Promise.all(ids.map((id, index) => client.run(id, { amount: amountOf(index) })))
  assert.deepEqual(
    outputs,
    ids.map((_, index) => `paid ${amountOf(index)}`),
  )
}

/**
 * Checks the notes and rows. Returns the figures to report. These include the number of interrupted steps that were executed
 * again, which is allowed.
 */
function checked(fleet: Fleet, runs: number): string {
  const { notes, rows, failures } = fleet
  assert.deepEqual(failures, [])
  assert.deepEqual(repeatedSteps(notes), [])
  assert.deepEqual(doubledRows(rows), [])
  assert.equal(rows.length, runs)
  const executed = countOf(notes, 'executing')
  const steps = new Set(notes.map(({ runId, name }) => `${runId} ${name}`)).size
  const workers = new Set(notes.map(({ pid }) => pid)).size
  return `${runs} runs ended correctly, ${steps} steps, ${executed - steps} interrupted steps executed again, ${workers} processes, ${runs} rows`
}

function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `run-${index + 1}`)
}

function shuffled<T>(values: readonly T[]): readonly T[] {
  const random = seededRandom(1)
  return values
    .map((value) => ({ value, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value)
}
