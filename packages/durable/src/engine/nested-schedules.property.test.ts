/**
 * Runs random programs of calls on random schedules: latencies, crashes at any record, aborts, pauses, and decisions in any order. No call
 * may be made twice or lost, and a repeated program must return what its records contain.
 */
import type { PendingCall } from '@x/react-agent'
import { AgentError } from '@x/react-agent'
import { expect, it } from 'vitest'
import { isOrderFree, type Node, Programs } from '../../test/nested/programs.ts'
import { approve, decide, Ledger, MortalSteps, openAgent, Process } from '../../test/nested/world.ts'
import { OrderedEngine } from '../../test/ordered-engine.ts'
import { seededRandom } from '../contract/case.ts'

const SEED = Number(process.env.X_SEED)
/** Number of programs for each kind of run. Each kind has its own programs. */
const COUNT = process.env.X_FULL ? 350 : 15
/** Programs wait most of the time, so several run at once. */
const LANES = [0, 1, 2, 3]
const MOST_PROCESSES = 300
/** An orderly close of this program over ordered records never ended. */
const FAILED = 20261966

interface Ended {
  readonly output: unknown
  readonly unknown: number
  readonly ledger: Ledger
  readonly records: Map<string, string>
  readonly disturbances: number
  /** True if every process that ended early was closed, so that no outcome may be unknown. */
  readonly hasOnlyCloses?: boolean
}

const outputOf = ({ trajectory }: { trajectory: { messages: readonly object[] } }): unknown =>
  trajectory.messages.flatMap((message) => ('callId' in message && 'content' in message ? [message.content] : []))[0]

/** Uses a journal in which all records are available at once, as in a file. */
async function overJournal(program: Node, random: () => number): Promise<Ended> {
  const ledger = new Ledger()
  const records = new Map<string, string>()
  const decisions = new Map<string, unknown>()
  const mayCrash = random() < 0.7
  const mayAbort = random() < 0.2
  for (let processes = 0; processes < MOST_PROCESSES; processes++) {
    const process = new Process()
    const left = mayCrash && random() < 0.8 ? Math.floor(random() * 8) : Number.POSITIVE_INFINITY
    const steps = new MortalSteps(records, decisions, process, left)
    const agent = await openAgent({ program, ledger, process, random })
    const caller = new AbortController()
    if (mayAbort && random() < 0.3) setTimeout(() => caller.abort(), random() * 10)
    const run = agent.run(
      { question: '?' },
      { id: 'r', steps, signal: caller.signal, approve: random() < 0.2 ? approve : undefined },
    )
    const ended = await Promise.race([run.catch((error: unknown) => error), process.died])
    process.die()
    if (ended === 'died') continue
    expect(steps.groups).toBe(0)
    if (!(ended instanceof AgentError)) {
      const { unknownCalls } = ended as { readonly unknownCalls: readonly unknown[] }
      return { output: outputOf(ended as never), unknown: unknownCalls.length, ledger, records, disturbances: processes }
    }
    if (ended.code === 'aborted') continue
    if (ended.code !== 'approval_required' || ended.paused === undefined) throw ended
    decideSome(ended.paused.pending, random, (call) => decisions.set(call.key, decide(call)))
  }
  throw new Error('The run does not end.')
}

/** Uses no engine. Only the paused run is kept. */
async function overPauses(program: Node, random: () => number): Promise<Ended> {
  const ledger = new Ledger()
  const open = () => openAgent({ program, ledger, process: new Process(), random })
  let run = (await open()).run({ question: '?' }, { id: 'r' })
  for (let pauses = 0; pauses < MOST_PROCESSES; pauses++) {
    const ended = await run.catch((error: unknown) => error)
    if (!(ended instanceof AgentError))
      return { output: outputOf(ended as never), unknown: 0, ledger, records: new Map(), disturbances: pauses }
    if (ended.code !== 'approval_required') throw ended
    const paused = JSON.parse(JSON.stringify(ended.paused))
    const decisions: Record<string, unknown> = {}
    decideSome(paused.pending, random, (call) => {
      decisions[call.callId] = decide(call)
    })
    run = (await open()).resume(paused, decisions as never)
  }
  throw new Error('The run does not end.')
}

/** Uses ordered records, as in DBOS and Restate. */
async function overOrderedRecords(program: Node, random: () => number): Promise<Ended> {
  const ledger = new Ledger()
  const engine = new OrderedEngine()
  engine.decide = ({ about }) => decide(about as PendingCall)
  const hasOnlyCloses = random() < 0.5
  for (let processes = 0; processes < MOST_PROCESSES; processes++) {
    const end = random()
    engine.crashAfter = end < 0.4 && !hasOnlyCloses ? Math.floor(random() * 8) : Number.POSITIVE_INFINITY
    engine.closeAfter = end >= 0.4 && end < 0.7 ? Math.floor(random() * 8) : Number.POSITIVE_INFINITY
    const process = new Process()
    const agent = await openAgent({ program, ledger, process, random })
    const ended = await engine.play(async (_, run) => {
      const { trajectory, unknownCalls } = await agent.run({ question: '?' }, { ...run, id: 'r' })
      return { output: outputOf({ trajectory }), unknown: unknownCalls.length }
    })
    process.die()
    if (ended === undefined) continue
    const lines = engine.records.filter(({ name }) => name === 'steps').flatMap(({ text }) => text.split('\n').filter(Boolean))
    const records = new Map(
      lines
        .map((line) => JSON.parse(line))
        .flatMap(({ step, value }) => (value === undefined ? [] : [[step, JSON.stringify(value)]])),
    ) as Map<string, string>
    const { output, unknown } = ended.output as { output: unknown; unknown: number }
    return { output, unknown, ledger, records, disturbances: processes, hasOnlyCloses }
  }
  throw new Error('The run does not end.')
}

function decideSome(pending: readonly PendingCall[], random: () => number, take: (call: PendingCall) => void): void {
  const chosen = Math.floor(random() * pending.length)
  for (const [index, call] of pending.entries()) if (index === chosen || random() < 0.4) take(call)
}

/** Runs the program without pauses, crashes and latencies. */
async function undisturbed(program: Node): Promise<unknown> {
  const agent = await openAgent({ program, ledger: new Ledger(), process: new Process(), random: () => 0.99 })
  return outputOf(await agent.run({ question: '?' }, { id: 'r', approve }))
}

/** Repeats the program from its records alone. */
async function repeated(program: Node, { records, ledger }: Ended): Promise<unknown> {
  const kept = new Map([...records].filter(([key]) => !key.includes('execution-')))
  const before = ledger.effects.length
  const process = new Process()
  const agent = await openAgent({ program, ledger, process, random: () => 0.99 })
  const steps = new MortalSteps(kept, new Map(), process, Number.POSITIVE_INFINITY)
  const output = outputOf(await agent.run({ question: '?' }, { id: 'r', steps }))
  expect(ledger.effects.length).toBe(before)
  return output
}

/** Asserts that no write was made twice, and that each call with an effect is recorded. */
function assertLedger({ ledger, records }: Ended, seed: number): void {
  for (const key of new Set(ledger.effects.map((effect) => effect.key))) {
    const effects = ledger.effects.filter((effect) => effect.key === key)
    const [first] = effects
    for (const effect of effects) expect(effect).toEqual(first)
    if (first?.tool !== 'look' && first?.tool !== 'put')
      expect({ seed, key, count: effects.length }).toEqual({ seed, key, count: 1 })
    if (records.size === 0 || first?.tool === 'look') continue
    const [last, ...outer] = key.split('/').slice(1).reverse()
    const record = `${outer
      .reverse()
      .map((id) => `nested-${id}/`)
      .join('')}call-${last}`
    expect({ seed, key, isRecorded: records.has(record) }).toEqual({ seed, key, isRecorded: true })
  }
}

it.each([
  ['a journal', overJournal, 0],
  ['paused runs', overPauses, 1],
  ['ordered records', overOrderedRecords, 2],
] as const)(`${COUNT} random programs over %s make no call twice, lose none, and repeat as recorded`, async (_, play, kind) => {
  let disturbed = 0
  let compared = 0
  const runLane = async (lane: number) => {
    for (let index = lane; index < COUNT; index += LANES.length) await runOne(SEED + kind * COUNT + index)
    if (lane === 0 && play === overOrderedRecords) for (let again = 0; again < 5; again++) await runOne(FAILED)
  }
  const runOne = async (seed: number) => {
    const program = new Programs(seededRandom(seed)).next()
    const random = seededRandom(seed * 31)
    const ended = await play(program, random).catch((cause: unknown) => {
      throw new Error(`Seed ${seed} failed.`, { cause })
    })
    disturbed += ended.disturbances
    assertLedger(ended, seed)
    if (ended.hasOnlyCloses) expect({ seed, unknown: ended.unknown }).toEqual({ seed, unknown: 0 })
    if (ended.records.size > 0) expect({ seed, output: await repeated(program, ended) }).toEqual({ seed, output: ended.output })
    if (!isOrderFree(program) || ended.unknown > 0) return
    compared++
    expect({ seed, output: ended.output }).toEqual({ seed, output: await undisturbed(program) })
  }
  await Promise.all(LANES.map(runLane))
  expect(disturbed).toBeGreaterThan(COUNT / 4)
  expect(compared).toBeGreaterThan(COUNT / 8)
})
