/** A call that somebody decides about is prepared once: what was shown is what runs, in whichever process. */
import { type ActionHooks, defineAction, type Tool, ToolError } from '@x/tool-core'
import { type ArgsSchema, defineTool as defineStandardTool } from '@x/tool-core/standard-schema'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { MemorySteps } from '../test-steps.ts'
import { call } from '../test-tools.ts'
import type { AskedCall, Decision, PendingCall } from './decision.ts'
import type { PausedRun } from './paused-run.ts'
import { agentFor, pause } from './test-payments.ts'

/** A process of its own: its hooks count from 100 times `process` on. */
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

const resultsOf = ({ trajectory }: { trajectory: { messages: readonly object[] } }) =>
  trajectory.messages.flatMap((message) => ('callId' in message ? [(message as { content?: unknown }).content] : []))

describe('a call with hooks that give something else at each call', () => {
  it('is approved on the spot, and runs with what was shown', async () => {
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

  it('is not changed by whoever is asked', async () => {
    const { pay, executed } = stamping(0)
    const approve = ({ args }: AskedCall) => Object.assign(args, { amount: 500 }).amount === 500
    await (await agentFor([pay], SCRIPT)).agent.run({ question: '?' }, { approve })
    expect(executed).toEqual([{ amount: 5, at: 1 }])
  })

  it('is approved after a pause, and another process runs what was shown without its hooks', async () => {
    const paused = await pause((await agentFor([stamping(0).pay], SCRIPT)).agent.run({ question: '?' }))
    expect(paused.pending).toMatchObject([{ args: { amount: 5, at: 1 } }])
    const { pay, log, executed } = stamping(1)
    const result = await (await agentFor([pay], SCRIPT.slice(1))).agent.resume(paused, { p1: true })
    expect(resultsOf(result)).toEqual(['{"paid":5}'])
    expect({ executed, log }).toEqual({ executed: [{ amount: 5, at: 1 }], log: ['after'] })
  })

  it('waits on as it was shown while others of its turn are decided', async () => {
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

  it('is edited by the caller over a journal, and a replay does not prepare the edit again', async () => {
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

  it('tells onError once of what is wrong with it, and asks nobody', async () => {
    const { pay, log } = stamping(0)
    const wrong = [{ toolCalls: [call('pay', { amount: 0 }, 'p1')] }, { text: 'Done.' }]
    const approve = () => {
      throw new Error('asked')
    }
    const result = await (await agentFor([pay], wrong)).agent.run({ question: '?' }, { approve })
    expect(resultsOf(result)).toEqual(['Error: Invalid arguments for "pay": /amount must be >= 1.'])
    expect(log).toEqual(['before', 'error invalid_arguments'])
  })

  it('that was paused by the version before is prepared again', async () => {
    const asBefore = (run: PausedRun): PausedRun => ({ ...run, version: 1 })
    const fixed = () => {
      const { pay, ...rest } = stamping(0)
      const { beforeExecute: _, ...hooks } = pay.hooks as ActionHooks
      return { ...rest, pay: { ...pay, hooks } as Tool }
    }
    const same = fixed()
    const paused = asBefore(await pause((await agentFor([fixed().pay], SCRIPT)).agent.run({ question: '?' })))
    await (await agentFor([same.pay], SCRIPT.slice(1))).agent.resume(paused, { p1: true })
    expect(same).toMatchObject({ executed: [{ amount: 5 }], log: ['before', 'after'] })
    const other = stamping(1)
    const resumed = (await agentFor([other.pay], SCRIPT.slice(1))).agent.resume(paused, { p1: true })
    await expect(resumed).rejects.toMatchObject({ code: 'approval_invalid' })
    expect(other.executed).toEqual([])
  })

  it('that a journal of the version before holds is prepared again', async () => {
    const { pay, log, executed } = stamping(0)
    const steps = new MemorySteps()
    await pause((await agentFor([pay], SCRIPT)).agent.run({ question: '?' }, { steps, id: 'r' }))
    const { digest } = JSON.parse(steps.records.get('asked-p1') ?? '')
    steps.records.set('asked-p1', JSON.stringify({ digest }))
    const same = stamping(0)
    steps.decisions.set('approval-p1', { type: 'approve' })
    await (await agentFor([same.pay], SCRIPT.slice(1))).agent.run({ question: '?' }, { steps, id: 'r' })
    expect({ log, executed }).toEqual({ log: ['before'], executed: [] })
    expect(same).toMatchObject({ executed: [{ amount: 5, at: 1 }], log: ['before', 'after'] })
  })
})

describe('a call whose context', () => {
  it('is another one in the process that resumes is checked there', async () => {
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

/** A schema of another library, whose parser is `parse`. */
function schemaOf(parse: (amount: unknown) => unknown, type = 'string'): ArgsSchema {
  const args = { type: 'object', properties: { amount: { type } }, required: ['amount'] }
  const validate = (value: unknown) => {
    const amount = parse((value as { amount?: unknown }).amount)
    return amount === undefined ? { issues: [{ message: 'does not fit', path: ['amount'] }] } : { value: { amount } }
  }
  const standard = { version: 1, vendor: 'test', validate, jsonSchema: { input: () => args, output: () => args } }
  return { '~standard': standard } as unknown as ArgsSchema
}

function parsing(parse: (amount: unknown) => unknown, type?: string) {
  const executed: unknown[] = []
  let parses = 0
  const pay = defineStandardTool({
    name: 'pay',
    description: 'Pay.',
    effect: 'write',
    needsApproval: true,
    args: schemaOf((amount) => {
      parses++
      return parse(amount)
    }, type),
    execute: (args) => {
      executed.push((args as { amount: unknown }).amount)
      return 'Paid.'
    },
  })
  return { pay, executed, parses: () => parses }
}

const toNumber = (amount: unknown) => (typeof amount === 'string' ? Number(amount) : undefined)
const doubled = (amount: unknown) => (typeof amount === 'number' ? amount * 2 : undefined)
const trimmed = (amount: unknown) => (typeof amount === 'string' ? amount.trim() : undefined)
const toDate = (amount: unknown) => (typeof amount === 'string' ? new Date(amount) : undefined)
const toSet = (amount: unknown) => (typeof amount === 'string' ? new Set(amount) : undefined)
const asking = (amount: unknown) => [{ toolCalls: [call('pay', { amount }, 'p1')] }, { text: 'Done.' }]

describe('a call of a tool whose schema transforms', () => {
  it.each<[string, (amount: unknown) => unknown, string, unknown, unknown, unknown]>([
    ['a text to a number', toNumber, 'string', '1', '1', 1],
    ['a number to another one', doubled, 'number', 5, 5, 10],
    ['a text to one that it leaves alone', trimmed, 'string', ' a ', 'a', 'a'],
    ['a text to a date', toDate, 'string', '2026-01-02', '2026-01-02T00:00:00.000Z', new Date('2026-01-02')],
    ['a text to a set', toSet, 'string', 'ab', 'ab', new Set('ab')],
  ])('%s shows what can be edited, and takes it back', async (_, parse, type, given, shown, made) => {
    for (const isEdited of [false, true]) {
      const { pay, executed } = parsing(parse, type)
      const seen: unknown[] = []
      const approve = ({ args }: AskedCall): Decision => {
        seen.push(args.amount)
        return isEdited ? { type: 'edit', args } : { type: 'approve' }
      }
      await (await agentFor([pay], asking(given))).agent.run({ question: '?' }, { approve })
      expect({ seen, executed }).toEqual({ seen: [shown], executed: [made] })
    }
  })

  it('keeps what it made across a pause, and is not parsed again', async () => {
    const paused = await pause((await agentFor([parsing(doubled, 'number').pay], asking(5))).agent.run({ question: '?' }))
    expect(paused.pending).toMatchObject([{ args: { amount: 5 }, executes: { amount: 10 } }])
    const { pay, executed, parses } = parsing(doubled, 'number')
    await (await agentFor([pay], asking(5).slice(1))).agent.resume(paused, { p1: true })
    expect({ executed, parses: parses() }).toEqual({ executed: [10], parses: 0 })
  })

  it('is prepared again where JSON cannot hold what it made, and refused where it became another call', async () => {
    const start = async () => pause((await agentFor([parsing(toDate).pay], asking('2026-01-02'))).agent.run({ question: '?' }))
    const paused = await start()
    expect((paused.pending as readonly PendingCall[])[0]).toMatchObject({
      args: { amount: '2026-01-02T00:00:00.000Z' },
      executes: null,
    })
    const same = parsing(toDate)
    await (await agentFor([same.pay], asking('').slice(1))).agent.resume(paused, { p1: true })
    expect(same.executed).toEqual([new Date('2026-01-02')])
    const other = parsing((amount) => new Date(`${amount}T01:00Z`))
    const resumed = (await agentFor([other.pay], asking('').slice(1))).agent.resume(paused, { p1: true })
    await expect(resumed).rejects.toMatchObject({ code: 'approval_invalid' })
    expect(other.executed).toEqual([])
  })

  it('is void when what it made was changed where it is kept', async () => {
    const paused = await pause((await agentFor([parsing(doubled, 'number').pay], asking(5))).agent.run({ question: '?' }))
    const changed = { ...paused, pending: [{ ...(paused.pending[0] as PendingCall), executes: { amount: 1_000 } }] }
    const { pay, executed } = parsing(doubled, 'number')
    const resumed = (await agentFor([pay], asking(5).slice(1))).agent.resume(changed, { p1: true })
    await expect(resumed).rejects.toMatchObject({ code: 'approval_invalid' })
    expect(executed).toEqual([])
  })

  it('hears of an edit that does not fit, and of the tool that fails after a yes', async () => {
    const { pay } = parsing(toNumber)
    const { agent } = await agentFor([pay], asking('1'))
    const paused = await pause(agent.run({ question: '?' }))
    await expect(agent.resume(paused, { p1: { type: 'edit', args: { amount: 2 } } })).rejects.toMatchObject({
      code: 'approval_invalid',
    })
    const failing: Tool = {
      ...pay,
      execute: () => {
        throw new ToolError('execution_failed', 'No money.')
      },
    }
    const result = await (await agentFor([failing], asking('1').slice(1))).agent.resume(paused, { p1: true })
    expect(resultsOf(result)).toEqual(['Error: No money.'])
  })
})
