/** A call that requires approval is prepared once: what was shown is what runs, in any process. */
import { defineAction } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { agentFor, pause, resultsOf } from '../../test/approval/payments.ts'
import { MemorySteps } from '../../test/steps.ts'
import { call } from '../../test/tools.ts'
import type { AskedCall, Decision } from './decision.ts'

/** Simulates a separate process, whose hooks count from 100 times `process`. */
function stamping(process: number) {
  const log: string[] = []
  const executed: object[] = []
  const keys = new Set<string>()
  let at = process * 100
  const pay = defineAction({
    name: 'pay',
    description: 'Pay.',
    effect: 'write',
    needsApproval: true,
    args: Type.Object({ amount: Type.Integer({ minimum: 1 }), at: Type.Optional(Type.Integer()) }),
    output: Type.Object({ paid: Type.Integer() }),
    hooks: {
      beforeValidate: (_, { idempotencyKey }) => {
        log.push('before')
        keys.add(idempotencyKey)
      },
      beforeExecute: (args) => ({ ...args, at: ++at }),
      afterExecute: () => void log.push('after'),
      onError: (error) => void log.push(`error ${error.code}`),
    },
    execute: (args, { idempotencyKey }) => {
      executed.push(args)
      keys.add(idempotencyKey)
      return { paid: args.amount }
    },
  })
  return { pay, log, executed, keys }
}

const SCRIPT = [{ toolCalls: [call('pay', { amount: 5 }, 'p1')] }, { text: 'Done.' }]

describe('a call whose hooks return something different each time', () => {
  it('is approved by approve, and runs with the arguments that were shown', async () => {
    const { pay, log, executed, keys } = stamping(0)
    const shown: object[] = []
    const approve = ({ args }: AskedCall) => shown.push(args) === 1
    const result = await (await agentFor([pay], SCRIPT)).agent.run({ question: '?' }, { id: 'r', approve })
    expect(resultsOf(result)).toEqual(['{"paid":5}'])
    expect({ shown, executed, log }).toEqual({
      shown: [{ amount: 5, at: 1 }],
      executed: [{ amount: 5, at: 1 }],
      log: ['before', 'after'],
    })
    expect([...keys]).toEqual(['r/p1'])
  })

  it("isn't changed by approve", async () => {
    const { pay, executed } = stamping(0)
    const approve = ({ args }: AskedCall) => Object.assign(args, { amount: 500 }).amount === 500
    await (await agentFor([pay], SCRIPT)).agent.run({ question: '?' }, { approve })
    expect(executed).toEqual([{ amount: 5, at: 1 }])
  })

  it('is approved after a pause, and another process runs what was shown without hooks', async () => {
    const paused = await pause((await agentFor([stamping(0).pay], SCRIPT)).agent.run({ question: '?' }))
    expect(paused.pending).toMatchObject([{ args: { amount: 5, at: 1 } }])
    const { pay, log, executed } = stamping(1)
    const result = await (await agentFor([pay], SCRIPT.slice(1))).agent.resume(paused, { p1: true })
    expect(resultsOf(result)).toEqual(['{"paid":5}'])
    expect({ executed, log }).toEqual({ executed: [{ amount: 5, at: 1 }], log: ['after'] })
  })

  it('stays pending as it was shown while others of its turn are decided', async () => {
    const two = [{ toolCalls: [call('pay', { amount: 5 }, 'p1'), call('pay', { amount: 6 }, 'p2')] }, { text: 'Done.' }]
    const first = await pause((await agentFor([stamping(0).pay], two)).agent.run({ question: '?' }))
    const second = stamping(1)
    const edit: Decision = { type: 'edit', args: { amount: 7 } }
    const paused = await pause((await agentFor([second.pay], [])).agent.resume(first, { p2: edit }))
    expect(paused.pending).toEqual(first.pending.slice(0, 1))
    expect(paused.decided).toMatchObject([{ callId: 'p2', args: { amount: 6, at: 2 }, edited: { amount: 7, at: 101 } }])
    const third = stamping(2)
    await (await agentFor([third.pay], two.slice(1))).agent.resume(paused, { p1: true })
    expect(second).toMatchObject({ executed: [], log: ['before'] })
    expect(third).toMatchObject({
      executed: [
        { amount: 5, at: 1 },
        { amount: 7, at: 101 },
      ],
      log: ['after', 'after'],
    })
  })

  it.each([
    ['on the spot', false],
    ['after a pause', true],
  ])('is edited %s, and the edit is prepared once', async (_, pauses) => {
    const { pay, log, executed } = stamping(0)
    const edit: Decision = { type: 'edit', args: { amount: 7 } }
    const { agent } = await agentFor([pay], SCRIPT)
    if (pauses) await agent.resume(await pause(agent.run({ question: '?' })), { p1: edit })
    else await agent.run({ question: '?' }, { approve: () => edit })
    expect({ executed, log }).toEqual({ executed: [{ amount: 7, at: 2 }], log: ['before', 'before', 'after'] })
  })

  it('is decided in a journal, and a replay runs no hooks', async () => {
    const steps = new MemorySteps()
    const first = stamping(0)
    await pause((await agentFor([first.pay], SCRIPT)).agent.run({ question: '?' }, { steps, id: 'r' }))
    const second = stamping(1)
    const again = await pause((await agentFor([second.pay], [])).agent.run({ question: '?' }, { steps, id: 'r' }))
    expect(again.pending).toMatchObject([{ args: { amount: 5, at: 1 } }])
    steps.decisions.set('approval-p1', { type: 'approve' })
    const third = stamping(2)
    await (await agentFor([third.pay], SCRIPT.slice(1))).agent.run({ question: '?' }, { steps, id: 'r' })
    expect([first.log, second.log, third.log]).toEqual([['before'], [], ['after']])
    expect(third.executed).toEqual([{ amount: 5, at: 1 }])
  })

  it('is edited in a journal, and the edit is prepared when it runs', async () => {
    const steps = new MemorySteps()
    await pause((await agentFor([stamping(0).pay], SCRIPT)).agent.run({ question: '?' }, { steps, id: 'r' }))
    steps.decisions.set('approval-p1', { type: 'edit', args: { amount: 7 } })
    const { pay, log, executed } = stamping(1)
    await (await agentFor([pay], SCRIPT.slice(1))).agent.run({ question: '?' }, { steps, id: 'r' })
    expect({ executed, log }).toEqual({ executed: [{ amount: 7, at: 101 }], log: ['before', 'after'] })
  })

  it("is edited by approve with a journal, and a replay doesn't prepare the edit again", async () => {
    const steps = new MemorySteps()
    const edit: Decision = { type: 'edit', args: { amount: 7 } }
    const first = stamping(0)
    const run = (await agentFor([first.pay], SCRIPT.slice(0, 1))).agent.run(
      { question: '?' },
      { steps, id: 'r', approve: () => edit },
    )
    await expect(run).rejects.toMatchObject({ code: 'model_failed' })
    for (const key of ['call-p1', 'intent-p1']) steps.records.delete(key)
    const second = stamping(1)
    await (await agentFor([second.pay], SCRIPT.slice(1))).agent.run({ question: '?' }, { steps, id: 'r', approve: () => false })
    expect(second).toMatchObject({ executed: [{ amount: 7, at: 2 }], log: ['after'] })
  })

  it('calls onError once when it is invalid, and needs no decision', async () => {
    const { pay, log } = stamping(0)
    const wrong = [{ toolCalls: [call('pay', { amount: 0 }, 'p1')] }, { text: 'Done.' }]
    const approve = () => {
      throw new Error('asked')
    }
    const result = await (await agentFor([pay], wrong)).agent.run({ question: '?' }, { approve })
    expect(resultsOf(result)).toEqual(['Error: Invalid arguments for "pay": /amount must be >= 1.'])
    expect(log).toEqual(['before', 'error invalid_arguments'])
  })
})

describe('the context of a call', () => {
  it('is validated in the process that resumes', async () => {
    const tenant = defineAction({
      name: 'pay',
      description: 'Pay.',
      effect: 'write',
      needsApproval: true,
      args: Type.Object({ amount: Type.Integer() }),
      output: Type.Object({ by: Type.String() }),
      context: Type.Object({ user: Type.String({ minLength: 1 }) }),
      execute: (_, { values }) => ({ by: values.user }),
    })
    const { agent } = await agentFor([tenant], SCRIPT)
    const paused = await pause(agent.run({ question: '?' }, { context: { user: 'ada' } }))
    const { agent: other } = await agentFor([tenant], SCRIPT.slice(1))
    const result = await other.resume(paused, { p1: true }, { context: { user: 'bo' } })
    expect(resultsOf(result)).toEqual(['{"by":"bo"}'])
  })
})
