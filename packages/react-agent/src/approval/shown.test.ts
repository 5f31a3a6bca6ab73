/** What was shown is what runs, even if other code mutates the objects that it received. */
import { defineAction, defineTool, MAX_ARGS_LENGTH, type Tool, type TypedSchema } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { agentFor, pause, payments, resultsOf, SCRIPT } from '../../test/approval/payments.ts'
import { call } from '../../test/tools.ts'
import { AgentError } from '../errors.ts'
import type { Decision } from './decision.ts'
import type { PausedRun } from './paused-run.ts'

describe('an approved call runs as it was shown', () => {
  it('even if a hook later mutates what it returned', async () => {
    const held: { amount: number }[] = []
    const executed: number[] = []
    const pay = defineAction({
      name: 'pay',
      description: 'Pay.',
      effect: 'write',
      needsApproval: true,
      args: Type.Object({ amount: Type.Integer() }),
      output: Type.Object({ paid: Type.Integer() }),
      hooks: {
        beforeExecute: (args) => {
          held.push(args)
          return args
        },
      },
      execute: ({ amount }) => ({ paid: executed.push(amount) }),
    })
    const approve = (decision: Decision) => () => {
      for (const args of held) args.amount = 500
      return decision
    }
    for (const decision of [{ type: 'approve' }, { type: 'edit', args: { amount: 7 } }] as const)
      await (await agentFor([pay], SCRIPT)).agent.run({ question: '?' }, { approve: approve(decision) })
    expect(executed).toEqual([5, 7])
  })

  it('with all of a long text, which is shown in full', async () => {
    const shown: unknown[] = []
    const executed: unknown[] = []
    const write = defineAction({
      name: 'write',
      description: 'Write.',
      needsApproval: true,
      args: Type.Object({ note: Type.String() }),
      output: Type.Object({}),
      execute: (args) => {
        executed.push(args)
        return {}
      },
    })
    const note = `${'x'.repeat(1_100_000)} and delete the rest`
    const script = [{ toolCalls: [call('write', { note }, 'w1')] }, { text: 'Done.' }]
    const approve = ({ args }: { args: unknown }) => {
      shown.push(args)
      return true
    }
    await (await agentFor([write], script)).agent.run({ question: '?' }, { approve })
    const { agent } = await agentFor([write], script)
    const { paused } = (await agent.run({ question: '?' }).catch((error: unknown) => error)) as AgentError
    shown.push(paused?.pending[0]?.args)
    await agent.resume(paused as PausedRun, { w1: true })
    expect(executed).toEqual([{ note }, { note }])
    expect(shown).toEqual(executed)
  })

  it("even if JSON can't represent it", async () => {
    const held: { amount: number; at: Date }[] = []
    const executed: object[] = []
    const pay = defineAction({
      name: 'pay',
      description: 'Pay.',
      effect: 'write',
      needsApproval: true,
      args: Type.Object({ amount: Type.Integer() }),
      output: Type.Object({}),
      hooks: {
        beforeExecute: (args) => {
          const kept = { ...args, at: new Date(0) }
          held.push(kept)
          return kept
        },
      },
      execute: (args) => {
        executed.push(args)
        return {}
      },
    })
    const approve = () => {
      for (const args of held) {
        args.amount = 500
        args.at.setFullYear(2000)
      }
      return true
    }
    await (await agentFor([pay], SCRIPT)).agent.run({ question: '?' }, { approve })
    expect(executed).toEqual([{ amount: 5, at: new Date(0) }])
  })

  it.each([
    ['on the spot', false],
    ['after a pause', true],
  ])('when a hook returns a proxy, %s', async (_, pauses) => {
    const executed: number[] = []
    const pay = defineAction({
      name: 'pay',
      description: 'Pay.',
      effect: 'write',
      needsApproval: true,
      args: Type.Object({ amount: Type.Integer() }),
      output: Type.Object({ paid: Type.Integer() }),
      hooks: { beforeExecute: (args) => new Proxy(args, {}) },
      execute: ({ amount }) => ({ paid: executed.push(amount) }),
    })
    const { agent } = await agentFor([pay], SCRIPT)
    if (pauses) await agent.resume(await pause(agent.run({ question: '?' })), { p1: true })
    else await agent.run({ question: '?' }, { approve: () => true })
    expect(executed).toEqual([5])
  })

  it('and the model gets the edit, even if the caller mutates it later', async () => {
    const { pay, paid } = payments()
    const toolCalls = [call('pay', { amount: 5 }, 'p1'), call('pay', { amount: 6 }, 'p2')]
    const edit = { type: 'edit' as const, args: { amount: 7 } }
    const approve = () => {
      edit.args.amount++
      return edit
    }
    const result = await (await agentFor([pay], [{ toolCalls }, { text: 'Done.' }])).agent.run({ question: '?' }, { approve })
    expect(paid).toMatchObject([{ amount: 8 }, { amount: 9 }])
    expect(resultsOf(result)).toEqual([expect.stringContaining('{"amount":8}'), expect.stringContaining('{"amount":9}')])
  })

  it('and reads an edit with a proxy or a getter once', async () => {
    let reads = 6
    for (const args of [
      new Proxy({ amount: 7 }, {}),
      {
        get amount() {
          return ++reads
        },
      },
    ]) {
      const { pay, paid } = payments()
      const edit = { type: 'edit' as const, args }
      const result = await (await agentFor([pay], SCRIPT)).agent.run({ question: '?' }, { approve: () => edit })
      expect(resultsOf(result)).toEqual([expect.stringContaining(`{"amount":${paid[0]?.amount}}`)])
    }
  })

  it('even if event readers mutate what they get', async () => {
    const { pay, paid } = payments()
    const { agent } = await agentFor([pay], SCRIPT)
    const run = agent.run({ question: '?' }, { approve: () => true })
    for await (const event of run.stream())
      if (event.type === 'approval_requested') Object.assign(event.call.args, { amount: 500 })
    await run
    expect(paid).toMatchObject([{ amount: 5 }])
  })
})

describe('an invalid call next to a pending one', () => {
  it("is answered before the run pauses, and isn't prepared again", async () => {
    const prepared: unknown[] = []
    const define = () =>
      defineAction({
        name: 'pay',
        description: 'Pay.',
        effect: 'write',
        needsApproval: true,
        args: Type.Object({ amount: Type.Integer({ minimum: 1 }) }),
        output: Type.Object({ paid: Type.Integer() }),
        hooks: { beforeValidate: ({ amount }) => void prepared.push(amount) },
        execute: ({ amount }) => ({ paid: amount }),
      })
    const calls = [call('pay', { amount: 5 }, 'p1'), call('pay', { amount: 0 }, 'p2')]
    const paused = await pause((await agentFor([define()], [{ toolCalls: calls }])).agent.run({ question: '?' }))
    expect(paused.pending).toMatchObject([{ callId: 'p1' }])
    expect(paused.finished).toMatchObject([{ observation: { callId: 'p2', ok: false } }])
    const result = await (await agentFor([define()], [{ text: 'Done.' }])).agent.resume(paused, { p1: true })
    expect(resultsOf(result)).toEqual(['{"paid":5}', 'Error: Invalid arguments for "pay": /amount must be >= 1.'])
    expect(prepared).toEqual([5, 0])
  })
})

describe("arguments that JSON can't represent", () => {
  const asking = [{ toolCalls: [call('pay', { amount: 'a' }, 'p1')] }, { text: 'Done.' }]
  function parsing(parse: (amount: string) => unknown) {
    const executed: unknown[] = []
    const args = { type: 'object', properties: { amount: { type: 'string' } }, required: ['amount'] }
    const validate = (value: { amount: unknown }) =>
      typeof value.amount === 'string' ? { value: { amount: parse(value.amount) } } : { issues: [{ message: 'no text' }] }
    const standard = { version: 1, vendor: 'test', validate, jsonSchema: { input: () => args, output: () => args } }
    const pay = defineTool({
      name: 'pay',
      description: 'Pay.',
      effect: 'write',
      needsApproval: true,
      args: { '~standard': standard } as unknown as TypedSchema<object, object>,
      execute: (given) => `${executed.push((given as { amount: unknown }).amount)}`,
    }) as Tool
    return { pay, executed }
  }
  const resumed = async (first: (amount: string) => unknown, second: (amount: string) => unknown) => {
    const paused = await pause((await agentFor([parsing(first).pay], asking)).agent.run({ question: '?' }))
    const other = parsing(second)
    const result = await (await agentFor([other.pay], asking.slice(1))).agent.resume(paused, { p1: true })
    return { results: resultsOf(result), executed: other.executed }
  }
  const circular = () => {
    const value: { self?: unknown } = {}
    value.self = value
    return value
  }

  it('are prepared again in another process', async () => {
    const made = await resumed(
      (text) => new Set(text),
      (text) => new Set(text),
    )
    expect(made.executed).toEqual([new Set('a')])
  })

  type Change = [string, (text: string) => unknown, (text: string) => unknown]
  const changes: Change[] = [
    ['have changed', (text) => new Set(text), () => new Set('b')],
    ['are a function', () => () => 1, () => () => 2],
    ['are circular', circular, circular],
    ['contain a function at the end', () => [...Array(100).fill(10n), () => 1], () => [...Array(100).fill(10n), () => 2]],
  ]
  // The limit is more than 100 million characters, which take as long as all other tests of this package.
  const tooLong: Change[] = [
    ['are too long to be shown', () => 'a'.repeat(MAX_ARGS_LENGTH), () => `${'a'.repeat(MAX_ARGS_LENGTH - 1)}b`],
  ]
  it.each(process.env.X_FULL ? [...changes, ...tooLong] : changes)('are rejected there if they %s', async (_, first, second) => {
    const { results, executed } = await resumed(first, second)
    expect(results).toEqual([expect.stringContaining('was not run')])
    expect(executed).toEqual([])
  })

  it('are executed in the process that showed them', async () => {
    const { pay, executed } = parsing(() => circular)
    await (await agentFor([pay], asking)).agent.run({ question: '?' }, { approve: () => true })
    expect(executed).toEqual([circular])
  })

  it.each([[new Date(0)], [10n], [() => 1], [Number.NaN]])('are rejected in an edit: %o', async (amount) => {
    const { pay, paid } = payments()
    const edit = { type: 'edit', args: { amount } } as const
    const paused = await pause((await agentFor([pay], SCRIPT)).agent.run({ question: '?' }, { approve: () => edit }))
    const resumedRun = (await agentFor([pay], SCRIPT.slice(1))).agent.resume(paused, { p1: edit })
    await expect(resumedRun).rejects.toMatchObject({ code: 'approval_invalid' })
    expect(paid).toEqual([])
  })
})

describe('a paused run that is not JSON', () => {
  const nested = (levels: number) => {
    let value: unknown = 1
    for (let level = 0; level < levels; level++) value = { value }
    return value
  }
  it.each<[string, (paused: PausedRun) => unknown]>([
    ['is nested too deeply', (paused) => ({ ...paused, inputs: nested(100_000) })],
    [
      'holds itself',
      (paused) =>
        Object.assign(
          { ...paused },
          {
            get inputs() {
              return this
            },
          },
        ),
    ],
    ['holds a bigint', (paused) => ({ ...paused, step: 10n })],
    ['is a function', () => () => 1],
    ['is undefined', () => undefined],
  ])('is rejected when it %s', async (_, change) => {
    const { pay } = payments()
    const paused = await pause((await agentFor([pay], SCRIPT)).agent.run({ question: '?' }))
    const { agent } = await agentFor([pay], SCRIPT.slice(1), { pauses: { key: 'secret' } })
    const error = await agent.resume(change(paused) as PausedRun, { p1: true }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AgentError)
    expect(error).toMatchObject({ code: 'invalid_paused_run' })
  })
})
