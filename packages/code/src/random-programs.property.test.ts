/**
 * Runs random programs on random schedules: latencies, crashes at any record, pauses, and decisions in any order. No call may be made twice
 * or lost, and a repeated program must return what its records contain.
 */
import { AgentError, type PendingCall } from '@x/react-agent'
import { expect, it } from 'vitest'
import { textOf } from '../test/agent.ts'
import { type RandomProgram, randomProgram, seededRandom } from '../test/random-programs.ts'
import { decide, type Made, MortalSteps, openWorld, Process } from '../test/world.ts'

const SEED = Number(process.env.X_SEED)
/** Number of programs for each kind of run. Each kind has its own programs. */
const COUNT = process.env.X_FULL ? 500 : 16
/** Programs wait most of the time, so several run at once. Those of the first lane run in a worker, one after the other. */
const LANES = [0, 1, 2, 3]
const MOST_PROCESSES = 300

interface Ended {
  readonly output: string
  readonly made: readonly Made[]
  /** Empty for a run that only pauses. */
  readonly records: Map<string, string>
  readonly unknown: number
  readonly disturbances: number
}

async function overJournal({ code }: RandomProgram, inline: boolean, random: () => number): Promise<Ended> {
  const made: Made[] = []
  const records = new Map<string, string>()
  const decisions = new Map<string, unknown>()
  for (let disturbances = 0; disturbances < MOST_PROCESSES; disturbances++) {
    const life = new Process()
    const left = random() < 0.7 ? Math.floor(random() * 12) : Number.POSITIVE_INFINITY
    const agent = await openWorld({ code, made, process: life, random, inline })
    const steps = new MortalSteps(records, decisions, life, left)
    const run = agent.run({ question: '?' }, { id: 'r', steps, signal: life.signal })
    const ended = await Promise.race([run.catch((error: unknown) => error), life.died])
    life.die()
    if (ended === 'died') continue
    if (!(ended instanceof AgentError)) {
      const { unknownCalls } = ended as { readonly unknownCalls: readonly unknown[] }
      return { output: textOf(ended as never), made, records, unknown: unknownCalls.length, disturbances }
    }
    if (ended.code !== 'approval_required' || ended.paused === undefined) throw ended
    decideSome(ended.paused.pending, random, (call) => decisions.set(call.key, decide(call)))
  }
  throw new Error('The run does not end.')
}

/** Uses no engine. Only the paused run is kept. */
async function overPauses({ code }: RandomProgram, inline: boolean, random: () => number): Promise<Ended> {
  const made: Made[] = []
  const open = () => openWorld({ code, made, process: new Process(), random, inline })
  let run = (await open()).run({ question: '?' }, { id: 'r' })
  for (let disturbances = 0; disturbances < MOST_PROCESSES; disturbances++) {
    const ended = await run.catch((error: unknown) => error)
    if (!(ended instanceof AgentError))
      return { output: textOf(ended as never), made, records: new Map(), unknown: 0, disturbances }
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

function decideSome(pending: readonly PendingCall[], random: () => number, take: (call: PendingCall) => void): void {
  const chosen = Math.floor(random() * pending.length)
  for (const [index, call] of pending.entries()) if (index === chosen || random() < 0.4) take(call)
}

/** Runs the program without pauses, crashes and latencies. */
async function undisturbed({ code }: RandomProgram): Promise<string> {
  const agent = await openWorld({ code, made: [], process: new Process(), random: () => 0.99, inline: true })
  return textOf(await agent.run({ question: '?' }, { id: 'r', approve: decide }))
}

/** Repeats the program from its records alone. */
async function repeated({ code }: RandomProgram, { records, made }: Ended): Promise<string> {
  const kept = new Map([...records].filter(([key]) => !key.includes('execution-')))
  const before = made.length
  const life = new Process()
  const agent = await openWorld({ code, made: made as Made[], process: life, random: () => 0.99, inline: true })
  const steps = new MortalSteps(kept, new Map(), life, Number.POSITIVE_INFINITY)
  const output = textOf(await agent.run({ question: '?' }, { id: 'r', steps }))
  expect(made.length).toBe(before)
  return output
}

/** Asserts that no write was made twice, and that each call with an effect is recorded. */
function assertOnce({ made, records }: Ended, seed: number): void {
  const keys = made.filter(({ tool }) => ['pay', 'order', 'locate'].includes(tool)).map(({ key }) => key)
  expect({ seed, keys: [...new Set(keys)] }).toEqual({ seed, keys })
  if (records.size === 0) return
  for (const key of keys) {
    const id = key.split('/').at(-1)
    expect({ seed, id, isRecorded: records.has(`nested-c1/call-${id}`) }).toEqual({ seed, id, isRecorded: true })
  }
}

it.each([
  ['a journal', overJournal, 0],
  ['paused runs', overPauses, 1],
] as const)(`${COUNT} random programs over %s make no call twice, lose none, and repeat as recorded`, async (_, play, kind) => {
  let disturbed = 0
  let compared = 0
  const runLane = async (lane: number) => {
    for (let index = lane; index < COUNT; index += LANES.length) await runOne(index, lane > 0)
  }
  const runOne = async (index: number, inline: boolean) => {
    const seed = SEED + kind * COUNT + index
    const program = randomProgram(seededRandom(seed))
    const ended = await play(program, inline, seededRandom(seed * 31)).catch((cause: unknown) => {
      throw new Error(`Seed ${seed} failed.`, { cause })
    })
    disturbed += ended.disturbances
    assertOnce(ended, seed)
    expect({ seed, output: ended.output }).toEqual({ seed, output: expect.stringMatching(/^\{"result":/) })
    if (ended.records.size > 0) expect({ seed, output: await repeated(program, ended) }).toEqual({ seed, output: ended.output })
    if (!program.isOrderFree || ended.unknown > 0) return
    compared++
    expect({ seed, result: resultIn(ended.output) }).toEqual({ seed, result: resultIn(await undisturbed(program)) })
  }
  await Promise.all(LANES.map(runLane))
  expect(disturbed).toBeGreaterThan(COUNT / 4)
  expect(compared).toBeGreaterThan(COUNT / 8)
})

/** Without the note, which names the calls whose results had not arrived at the end, such as losers of a race. */
function resultIn(output: string): unknown {
  const { note: _, ...rest } = JSON.parse(output)
  return rest
}
