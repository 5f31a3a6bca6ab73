import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileEngine } from '@x/durable'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportFailure } from '../failure.ts'
import { toCommandLine } from './command-line.ts'
import { type DecisionWords, decideRun } from './decide.ts'
import { followRun } from './follow-run.ts'
import type { DemoEngine, DemoStatus, RunInput, RunOutput } from './run-data.ts'

const call = (callId: string, name: string) => ({ callId, name, args: { amount: 5, payee: 'Ada' }, needs: 'approval' })
const input = { request: 'Pay', user: 'demo' }
const yes = { no: false }
const toCommand = toCommandLine({ kind: 'dbos' })
const { signal } = new AbortController()

let folder = ''
let engine: DemoEngine

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-decide-'))
  engine = await createFileEngine<RunInput, RunOutput>({
    folder,
    lookEveryMs: 20,
    fn: async (_, { id, steps }) => {
      const calls = id.startsWith('one') ? [call('1', 'pay')] : [call('1', 'pay'), call('2', 'pay'), call('3', 'move')]
      const decided = await Promise.allSettled(calls.map((each) => steps.wait(`approval-${each.callId}`, each)))
      for (const each of decided) if (each.status === 'rejected') throw each.reason
      return { answer: JSON.stringify(decided.map((each) => 'value' in each && each.value)), calls: [], unknownCalls: [] }
    },
  })
})

afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true })
})

const decide = (run: DemoStatus, name: string | undefined, words: DecisionWords) =>
  decideRun(engine, run, {
    name,
    words,
    toCommand,
    findFault: async ({ args: { amount } }) => (amount === 0 ? 'Too little.' : undefined),
  })

async function waitingRun(id: string) {
  await engine.start(id, input)
  return await followRun(engine, id, { signal })
}

describe('a decision', () => {
  it('applies to the only pending call, and keeps the arguments that were not edited', async () => {
    const run = await waitingRun('one')
    const { decision } = await decide(run, undefined, { no: false, edit: 'amount=8' })
    expect(decision).toEqual({ type: 'edit', args: { amount: 8, payee: 'Ada' } })
    expect(JSON.parse((await engine.result('one')).answer)).toEqual([decision])
  })

  it('needs a name when several calls are pending: that of the wait, or of a tool with one call', async () => {
    const run = await waitingRun('three')
    const names = '"approval-1", "approval-2", "approval-3"'
    await expect(decide(run, undefined, yes)).rejects.toThrow(`is waiting for 3 decisions. Name one of: ${names}.`)
    await expect(decide(run, 'pay', yes)).rejects.toThrow('is waiting for decisions on several calls to pay.')
    await expect(decide(run, 'approval-4', yes)).rejects.toThrow(`isn't waiting for "approval-4". It is waiting for ${names}.`)
    expect((await decide(run, 'move', { no: true, reason: 'Later' })).name).toBe('approval-3')
    expect((await decide(run, 'approval-1', yes)).decision).toEqual({ type: 'approve' })
    const left = await followRun(engine, 'three', { signal })
    expect(left.waitsFor.map(({ name }) => name)).toEqual(['approval-2'])
    // This is an outdated status of the same run.
    const again = await decide(run, 'move', yes).catch((failure: unknown) => failure)
    expect(again).toMatchObject({ code: 'already_decided', message: expect.stringContaining('Decisions are final') })
    expect(reportFailure(again, { write: () => {} })).toBe(2)
  })

  it('is final', async () => {
    const run = await waitingRun('one-more')
    await decide(run, undefined, yes)
    await engine.result('one-more')
    await expect(decide(run, 'approval-1', yes)).rejects.toMatchObject({ code: 'run_ended' })
  })

  it('with edited arguments is refused when the call would be invalid', async () => {
    const run = await waitingRun('one-edited')
    await expect(decide(run, undefined, { no: false, edit: 'amount=0' })).rejects.toThrow('Too little.')
    const left = await followRun(engine, 'one-edited', { signal })
    expect(left.waitsFor.map(({ name }) => name)).toEqual(['approval-1'])
  })

  it('is refused when the run waits for nothing', async () => {
    const run: DemoStatus = { id: 'still', state: 'queued', startedAt: '2026-11-23T00:00:00.000Z', input, waitsFor: [] }
    const words =
      'The run "still" isn\'t waiting for a decision. Its calls have already been decided, or it hasn\'t requested a decision yet. When it is resumed, it requests any further decisions. Its state is "queued". To resume it: '
    for (const name of [undefined, 'pay', 'approval-1', 'bogus'])
      for (const said of [yes, { no: true }, { no: false, edit: 'amount=5' }])
        await expect(decide(run, name, said)).rejects.toThrow(`${words}npm run demo -- runs resume still --durable dbos`)
  })
})
