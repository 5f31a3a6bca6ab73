/** A decision over a journal, when the process that continues the run has another version of the call's tool. */
import type { LM } from '@x/adapters'
import { defineTool, type Effect, type Tool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { pause, resultsOf } from '../../test/approval/payments.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'

interface Version {
  readonly description?: string
  readonly args?: object
  readonly effect?: Effect
  readonly needsApproval?: boolean
  readonly hooks?: object
}

const ARGS = { amount: Type.Integer(), to: Type.String({ default: 'ada' }) }
const script = [call('pay', { amount: 40 }, 'p1'), call('wait', {}, 'w1')]

/** Replies by the messages, so it is the same in each process. */
const lm: LM = {
  generate: async ({ messages }) => {
    const reply = script[messages.filter(({ role }) => role === 'assistant').length]
    return { text: reply ? '' : 'Done.', toolCalls: (reply ? [reply] : []) as never }
  },
}

function bank() {
  const paid: object[] = []
  const pay = ({ description = 'Pays.', args = ARGS, effect = 'write', needsApproval = true, hooks }: Version) =>
    defineTool({
      name: 'pay',
      description,
      args: Type.Object(args as typeof ARGS),
      effect,
      needsApproval,
      hooks,
      execute: (given: object) => {
        paid.push(given)
        return 'Paid.'
      },
    } as never) as Tool
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    args: Type.Object({}),
    effect: 'read',
    needsApproval: true,
    execute: () => 'waited',
  })
  const run = async (steps: MemorySteps, version: Version | undefined, instructions = 'Answer.') => {
    const tools = version === undefined ? [wait] : [pay(version), wait]
    const agent = await createReactAgent({ lm, tools, signature: { ...answer, instructions } })
    return await agent.run({ question: '?' }, { id: 'r', steps })
  }
  return { paid, run }
}

const FITTING: readonly [string, Version][] = [
  ['is described in other words', { description: 'Transfers money.' }],
  ['describes its arguments in other words', { args: { ...ARGS, amount: Type.Integer({ description: 'In euros.' }) } }],
  ['has another default', { args: { ...ARGS, to: Type.String({ default: 'mallory' }) } }],
  ['has an optional argument more', { args: { ...ARGS, note: Type.Optional(Type.String()) } }],
  ['accepts more values', { args: { ...ARGS, amount: Type.Number() } }],
  ['no longer requires approval', { needsApproval: false }],
]

const UNFIT: readonly [string, Version | undefined, string][] = [
  ['is gone', undefined, 'the agent no longer has its tool "pay"'],
  ['requires another argument', { args: { ...ARGS, iban: Type.String() } }, 'no longer valid'],
  ['has an argument more with a default', { args: { ...ARGS, fee: Type.Integer({ default: 9 }) } }, 'no longer valid'],
  ['has an argument less', { args: { amount: ARGS.amount } }, 'no longer valid'],
  ['does not accept the value', { args: { ...ARGS, amount: Type.Integer({ maximum: 10 }) } }, 'no longer valid'],
  ['declares another effect', { effect: 'destructive' }, 'effect of its tool'],
]

describe('an approved call that has not run', () => {
  it.each(FITTING)('runs with the arguments that were shown if its tool %s', async (_, version) => {
    const { paid, run } = bank()
    const steps = new MemorySteps()
    const paused = await pause(run(steps, {}))
    expect(paused.pending).toMatchObject([{ args: { amount: 40, to: 'ada' } }])
    steps.decisions.set('approval-p1', true)
    steps.decisions.set('approval-w1', true)
    expect(resultsOf(await run(steps, version, 'Answer briefly.'))).toEqual(['Paid.', 'waited'])
    expect(paid).toEqual([{ amount: 40, to: 'ada' }])
  })

  it.each(FITTING)('is not run if it was rejected and its tool %s', async (_, version) => {
    const { paid, run } = bank()
    const steps = new MemorySteps()
    await pause(run(steps, {}))
    steps.decisions.set('approval-p1', false)
    steps.decisions.set('approval-w1', true)
    await run(steps, version)
    expect(paid).toEqual([])
  })

  it.each(UNFIT)('stops the run if its tool %s, and the earlier version continues', async (_, version, words) => {
    const { paid, run } = bank()
    const steps = new MemorySteps()
    await pause(run(steps, {}))
    // While there is no decision, the run keeps waiting.
    expect((await pause(run(steps, version))).pending).toMatchObject([{ callId: 'p1', needs: 'approval' }])
    steps.decisions.set('approval-p1', true)
    steps.decisions.set('approval-w1', true)
    const stopped = run(steps, version)
    await expect(stopped).rejects.toMatchObject({ code: 'agent_changed', message: expect.stringContaining(words) })
    expect(paid).toEqual([])
    expect(steps.records.has('decided-p1')).toBe(false)
    await run(steps, {})
    expect(paid).toEqual([{ amount: 40, to: 'ada' }])
  })

  it.each(UNFIT)('stops the run if its decision is recorded and its tool %s', async (_, version) => {
    const { paid, run } = bank()
    const steps = new MemorySteps()
    await pause(run(steps, {}))
    steps.decisions.set('approval-p1', true)
    await pause(run(steps, {}))
    for (const key of ['intent-p1', 'call-p1', 'model-2', 'asked-w1']) steps.records.delete(key)
    await expect(run(steps, version)).rejects.toMatchObject({ code: 'agent_changed' })
    expect(paid).toHaveLength(1)
  })

  it('is not compared with the schema if its tool has hooks, because they may have changed its arguments', async () => {
    const { paid, run } = bank()
    const steps = new MemorySteps()
    const hooks = { beforeExecute: ({ args }: { args: object }) => ({ ...args, audit: 1 }) }
    await pause(run(steps, { hooks }))
    steps.decisions.set('approval-p1', true)
    steps.decisions.set('approval-w1', true)
    await run(steps, { hooks })
    expect(paid).toHaveLength(1)
  })
})

describe('a call that has run', () => {
  it.each(UNFIT)('keeps its result if its tool %s', async (_, version) => {
    const { paid, run } = bank()
    const steps = new MemorySteps()
    await pause(run(steps, {}))
    steps.decisions.set('approval-p1', true)
    await pause(run(steps, {}))
    steps.decisions.set('approval-w1', true)
    expect(resultsOf(await run(steps, version))).toEqual(['Paid.', 'waited'])
    expect(paid).toHaveLength(1)
  })
})

describe('a call without approval that has not ended', () => {
  it('stops the run if its tool is gone, and a call to a tool that never existed is an error that the model reads', async () => {
    const { paid, run } = bank()
    const steps = new MemorySteps()
    await pause(run(steps, { needsApproval: false }))
    expect(paid).toHaveLength(1)
    const stopped = new MemorySteps()
    for (const key of ['start', 'model-1']) stopped.records.set(key, steps.records.get(key) as string)
    await expect(run(stopped, undefined)).rejects.toMatchObject({ code: 'agent_changed' })
    const never = new MemorySteps()
    await pause(run(never, undefined))
    for (const key of [...never.records.keys()].slice(2)) never.records.delete(key)
    expect((await pause(run(never, undefined))).messages.at(-1)).toMatchObject({ role: 'tool', callId: 'p1' })
  })
})

describe('inputs that the signature no longer accepts', () => {
  it('stop a run that was started with them, and fail a new one', async () => {
    const { run } = bank()
    const steps = new MemorySteps()
    await pause(run(steps, {}))
    const other = { ...answer, inputs: { ...answer.inputs, day: Type.String() } }
    const agent = await createReactAgent({ lm, tools: [], signature: other })
    const start = (id: string, on: MemorySteps) => agent.run({ question: '?' } as never, { id, steps: on })
    await expect(start('r', steps)).rejects.toMatchObject({ code: 'agent_changed' })
    await expect(start('new', new MemorySteps())).rejects.toMatchObject({ code: 'invalid_inputs' })
  })
})
