/** Tests an engine with agents that are deployed in another version while runs wait or are half done. */
import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent, isAgentError } from '@x/react-agent'
import { defineTool, type Effect } from '@x/tool-core'
import * as Type from 'typebox'
import { expect, it } from 'vitest'
import { newStore, poll } from '../src/contract/case.ts'
import type { ContractHarness } from '../src/contract/harness.ts'
import type { DurableRun } from '../src/engine/engine.ts'
import { DurableError } from '../src/errors.ts'

interface Version {
  readonly instructions?: string
  readonly inputs?: object
  readonly tools?: readonly string[]
  readonly maxSteps?: number
  readonly budget?: { readonly tokens: number }
  readonly description?: string
  readonly args?: object
  readonly effect?: Effect
  readonly needsApproval?: boolean
}

const ARGS = { amount: Type.Number() }

type Outcome = 'finished' | 'held' | 'failed'

/**
 * Each change, and what becomes of a run that waits for the approval of a payment, and of one in which the payment is done. A run that
 * fails has used up its budget.
 */
const CHANGES: Readonly<Record<string, readonly [Version, waiting: Outcome, half?: Outcome]>> = {
  'other instructions': [{ instructions: 'Pay it now.' }, 'finished'],
  'the tool is described in other words': [{ description: 'Transfers money.' }, 'finished'],
  'a tool more': [{ tools: ['pay', 'look', 'more'] }, 'finished'],
  'another tool gone': [{ tools: ['pay'] }, 'finished'],
  'an optional argument more': [{ args: { ...ARGS, note: Type.Optional(Type.String()) } }, 'finished'],
  'no approval required any more': [{ needsApproval: false }, 'finished'],
  'the tool gone': [{ tools: ['look'] }, 'held'],
  'a required argument more': [{ args: { ...ARGS, iban: Type.String() } }, 'held'],
  'another effect': [{ effect: 'destructive' }, 'held'],
  'a required input more': [{ inputs: { day: Type.String() } }, 'held', 'held'],
  'a limit that a half-done run has passed': [{ maxSteps: 1 }, 'finished'],
  'a budget that both runs have used up': [{ budget: { tokens: 1 } }, 'failed', 'failed'],
}

const CALLS = [
  { id: 'p1', name: 'pay', arguments: '{"amount":40}' },
  { id: 'c1', name: 'confirm', arguments: '{}' },
]

interface Effects {
  /** The idempotency keys of the payments. */
  readonly paid: string[]
  /** The idempotency keys of the confirmations. */
  readonly confirmed: string[]
}

/** Replies by the messages, so it is the same in each process. */
const lm: LM = {
  generate: async ({ messages }) => {
    const call = CALLS[messages.filter(({ role }) => role === 'assistant').length]
    const usage = { inputTokens: 10, outputTokens: 1 }
    return { text: call ? '' : 'Done.', toolCalls: call ? [call] : [], finishReason: call ? 'tool-calls' : 'stop', usage }
  },
}

async function createAgent(version: Version, { paid, confirmed }: Effects) {
  const { instructions = 'Pay.', inputs = {}, tools = ['pay', 'look'], maxSteps = 10, budget, args = ARGS } = version
  const { description = 'Pays.', effect = 'write', needsApproval = true } = version
  const define = (name: string, others: object = {}) =>
    defineTool({ name, description: 'Reads.', args: Type.Object({}), effect: 'read', execute: () => 'read', ...others })
  const noting =
    (keys: string[]) =>
    (_: object, { idempotencyKey = '' }) => {
      keys.push(idempotencyKey)
      return 'done'
    }
  const execute = noting(paid)
  const pay = define('pay', { description, args: Type.Object(args as typeof ARGS), effect, needsApproval, execute })
  const confirm = define('confirm', { effect: 'write', needsApproval: true, execute: noting(confirmed) })
  return await createReactAgent({
    lm,
    tools: [confirm, ...tools.map((name) => (name === 'pay' ? pay : define(name)))],
    signature: defineSignature({
      instructions,
      inputs: { question: Type.String(), ...inputs },
      outputs: { answer: Type.String() },
    }),
    maxSteps,
    budget,
  } as never)
}

export function itSurvivesDeploys(harness: ContractHarness): void {
  it('a deploy holds the runs whose unfinished calls no longer fit, and the others go on', { timeout: 600_000 }, async () => {
    const store = newStore()
    const paid: string[] = []
    const confirmed: string[] = []
    const program = (versionOf: (change: string) => Version) => async (change: string, run: DurableRun) => {
      const agent = await createAgent(versionOf(change), { paid, confirmed })
      return (await agent.run({ question: '?' } as never, run)).outputs as { answer: string }
    }
    const runs = Object.entries(CHANGES).flatMap(([change, [, waiting, half = 'finished']], index) => [
      { id: `waiting-${index}`, change, outcome: waiting },
      { id: `half-${index}`, change, outcome: half },
    ])
    const client = await harness.open<string, { answer: string }>(store)
    const waitsFor = (id: string, name: string) =>
      poll(async () => (await client.status(id))?.waitsFor.some((waits) => waits.name === name) === true)
    {
      await using _engine = await harness.open(
        store,
        program(() => ({})),
      )
      for (const { id, change } of runs) await client.start(id, change)
      for (const { id } of runs) await waitsFor(id, 'approval-p1')
      const halves = runs.filter(({ id }) => id.startsWith('half'))
      for (const { id } of halves) await client.signal(id, 'approval-p1', true)
      for (const { id } of halves) await waitsFor(id, 'approval-c1')
    }
    for (const { id } of runs) await client.signal(id, id.startsWith('half') ? 'approval-c1' : 'approval-p1', true)
    const problems: unknown[] = []
    {
      await using _engine = await harness.open(
        store,
        program((change) => CHANGES[change]?.[0] ?? {}),
      )
      const seen: object[] = []
      for (const { id, change } of runs) {
        // An approved payment is followed by a confirmation.
        await poll(async () => {
          const status = await client.status(id)
          if (status?.waitsFor[0]?.name === 'approval-c1') await client.signal(id, 'approval-c1', true)
          return /^(held|finished|failed)$/.test(status?.state ?? '')
        })
        const status = await client.status(id)
        const isPaid = paid.some((key) => key.startsWith(`${id}/`))
        seen.push({ change, id, state: status?.state, isPaid })
        if (status?.state === 'held') problems.push(status.failure?.code)
      }
      expect(seen).toEqual(
        runs.map(({ id, change, outcome }) => {
          return { change, id, state: outcome, isPaid: outcome !== 'held' || id.startsWith('half') }
        }),
      )
    }
    for (const code of problems) expect(['agent_changed', 'steps_mismatch']).toContain(code)
    await using _engine = await harness.open(
      store,
      program(() => ({})),
    )
    for (const { id, outcome } of runs) {
      if (outcome !== 'held') continue
      await client.retry(id)
      if (id.startsWith('waiting')) {
        await waitsFor(id, 'approval-c1')
        await client.signal(id, 'approval-c1', true)
      }
      expect(await client.result(id)).toEqual({ answer: 'Done.' })
    }
    const idsOf = (keys: readonly string[]) => keys.map((key) => key.split('/')[0]).sort()
    expect(idsOf(paid)).toEqual(runs.map(({ id }) => id).sort())
    // The budget ends a run at its next request. A half-done run confirms its payment before that.
    const confirming = runs.filter(({ id, outcome }) => outcome !== 'failed' || id.startsWith('half'))
    expect(idsOf(confirmed)).toEqual(confirming.map(({ id }) => id).sort())
    await client.close()
  })
  itRepeatsNothing(harness)
}

/** A call that is interrupted, the versions before and after, and how often the call is executed after that. */
const INTERRUPTED: readonly (readonly [call: 'p1' | 'c1', before: Version, now: Version, calls: number])[] = [
  ['p1', { effect: 'write' }, { effect: 'write' }, 0],
  ['p1', { effect: 'write' }, { effect: 'read' }, 0],
  ['p1', { effect: 'write' }, { effect: 'idempotent' }, 0],
  ['p1', { effect: 'idempotent' }, { effect: 'write' }, 0],
  ['p1', { effect: 'idempotent' }, { effect: 'idempotent' }, 1],
  ['c1', {}, { maxSteps: 1 }, 0],
  ['c1', {}, { budget: { tokens: 1 } }, 0],
]

function itRepeatsNothing(harness: ContractHarness): void {
  it('a deploy with another effect or limit repeats an interrupted call only if both versions permit it, and reports it otherwise', {
    timeout: 600_000,
  }, async () => {
    const store = newStore()
    const made: Record<'p1' | 'c1', string[]> = { p1: [], c1: [] }
    const program = (versionOf: (row: (typeof INTERRUPTED)[number]) => Version, isFirst: boolean) => {
      return async (index: number, run: DurableRun) => {
        const row = INTERRUPTED[index] as (typeof INTERRUPTED)[number]
        const version = { needsApproval: false, tools: ['pay'], ...versionOf(row) }
        const agent = await createAgent(version, { paid: made.p1, confirmed: made.c1 })
        const { steps } = run
        // Stops the first execution between the intent and the call, as a crash would.
        const interrupted: DurableRun['steps'] = {
          run: async (key, execute) => {
            const value = await steps.run(key, execute)
            if (key === `intent-${row[0]}` && isFirst) throw new DurableError('steps_mismatch', 'Stopped after the intent.')
            return value
          },
          wait: (key, about) => steps.wait(key, about),
        }
        const ended = await agent.run({ question: '?' } as never, { ...run, steps: interrupted }).catch((error: unknown) => {
          if (isAgentError(error) && error.code === 'budget_exceeded') return error
          throw error
        })
        return { unknown: ended.unknownCalls.map(({ callId }) => callId) }
      }
    }
    const client = await harness.open<number, { unknown: string[] }>(store)
    const confirm = async (id: string) => {
      await poll(async () => (await client.status(id))?.waitsFor.some(({ name }) => name === 'approval-c1') === true)
      await client.signal(id, 'approval-c1', true)
    }
    const rows = INTERRUPTED.map((row, index) => ({ id: `interrupted-${index}`, row, index }))
    {
      await using _engine = await harness.open(
        store,
        program(([, before]) => before, true),
      )
      for (const { id, index } of rows) await client.start(id, index)
      for (const { id, row } of rows) if (row[0] === 'c1') await confirm(id)
      for (const { id } of rows) await poll(async () => (await client.status(id))?.state === 'held')
    }
    const callsOf = (id: string, call: 'p1' | 'c1') => made[call].filter((key) => key.startsWith(`${id}/`)).length
    for (const { id, row } of rows) expect([id, callsOf(id, row[0])]).toEqual([id, 0])
    for (const { id } of rows) await client.retry(id)
    await using _engine = await harness.open(
      store,
      program(([, , now]) => now, false),
    )
    for (const { id, row } of rows) {
      const [call, , , calls] = row
      if (call === 'p1') await confirm(id)
      expect({ id, ...(await client.result(id)) }).toEqual({ id, unknown: calls === 0 ? [call] : [] })
      expect(callsOf(id, call)).toBe(calls)
    }
    await client.close()
  })
}
