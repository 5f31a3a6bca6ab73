/** Tests edits of calls whose hooks change arguments: either the edit runs as decided, or nothing runs. */
import { type ActionHooks, defineAction, defineTool, deriveTool, type TypedSchema } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { agentFor, pause, resultsOf } from '../../test/approval/payments.ts'
import { MemorySteps } from '../../test/steps.ts'
import { call } from '../../test/tools.ts'
import type { Decision } from './decision.ts'

/** Creates a tool whose model writes euros. The tool itself takes at most 1,000 cents. */
function cents(stage: 'beforeValidate' | 'afterValidate' | 'beforeExecute', change: (args: { amount: number }) => object) {
  const executed: object[] = []
  const pay = defineAction({
    name: 'pay',
    description: 'Pay.',
    effect: 'write',
    needsApproval: true,
    args: Type.Object({ amount: Type.Number(), currency: Type.String({ default: 'EUR' }) }),
    output: Type.Object({}),
    hooks: { [stage]: (args: object) => change(args as { amount: number }) } as object,
    execute: (args) => {
      executed.push(args)
      return {}
    },
  })
  return { pay, executed }
}

const times100 = (args: { amount: number }) => ({ ...args, amount: args.amount * 100 })
const atMost1000 = (args: { amount: number }) => ({ ...args, amount: Math.min(args.amount, 1000) })
const SCRIPT = [{ toolCalls: [call('pay', { amount: 5 }, 'p1')] }, { text: 'Done.' }]
const edit = (amount: unknown): Decision => ({ type: 'edit', args: { amount } })

describe('an edit of a call whose hook changes the arguments', () => {
  it.each(['beforeValidate', 'afterValidate', 'beforeExecute'] as const)('is rejected after a pause: %s', async (stage) => {
    const { pay, executed } = cents(stage, times100)
    const { agent } = await agentFor([pay], SCRIPT)
    const paused = await pause(agent.run({ question: '?' }))
    expect(paused.pending).toMatchObject([{ args: { amount: 500 } }])
    await expect(agent.resume(paused, { p1: edit(300) })).rejects.toMatchObject({
      code: 'approval_invalid',
      message: expect.stringContaining('A hook of "pay" would change the edited arguments to {"amount":30000}.'),
    })
    expect(executed).toEqual([])
    await agent.resume(paused, { p1: true })
    expect(executed).toEqual([{ amount: 500, currency: 'EUR' }])
  })

  it('is rejected with the names of the arguments that the hook removes', async () => {
    const { pay, executed } = cents('beforeExecute', ({ amount }) => ({ amount: amount * 100 }))
    const { agent } = await agentFor([pay], SCRIPT)
    const paused = await pause(agent.run({ question: '?' }))
    await expect(agent.resume(paused, { p1: edit(300) })).rejects.toMatchObject({
      message: expect.stringContaining(
        'A hook of "pay" would change the edited arguments to {"amount":30000} and remove the edited arguments "currency". Pass',
      ),
    })
    expect(executed).toEqual([])
  })

  it('is rejected from approve, and the run pauses', async () => {
    const { pay, executed } = cents('beforeExecute', times100)
    const run = (await agentFor([pay], SCRIPT)).agent.run({ question: '?' }, { approve: () => edit(300) })
    await expect(run).rejects.toMatchObject({ code: 'approval_required', cause: { code: 'approval_invalid' } })
    expect(executed).toEqual([])
  })

  it('fails from a journal, and the model gets the reason', async () => {
    const steps = new MemorySteps()
    const { pay, executed } = cents('beforeExecute', times100)
    await pause((await agentFor([pay], SCRIPT)).agent.run({ question: '?' }, { steps, id: 'r' }))
    steps.decisions.set('approval-p1', edit(300))
    const result = await (await agentFor([pay], SCRIPT.slice(1))).agent.run({ question: '?' }, { steps, id: 'r' })
    expect(resultsOf(result)).toEqual([
      'Error: "pay" was not run: a hook would have changed the arguments that the approver edited. Make the call again to request a new approval.',
    ])
    expect(executed).toEqual([])
  })

  it.each([
    ["a value that the hook doesn't change", 300, 300],
    ['a string that is coerced', '300', 300],
  ])('runs with %s', async (_, given, amount) => {
    const { pay, executed } = cents('beforeExecute', atMost1000)
    await (await agentFor([pay], SCRIPT)).agent.run({ question: '?' }, { approve: () => edit(given) })
    expect(executed).toEqual([{ amount, currency: 'EUR' }])
  })
})

describe('an edit of a call whose schema transforms', () => {
  /** `amount` is a string in the schema, and is executed as a number. */
  const jsonSchema = { type: 'object', properties: { amount: { type: 'string' } }, required: ['amount'] }
  const validate = ({ amount }: { amount: string }) => ({ value: { amount: Number(amount) } })
  const standard = { version: 1, vendor: 'test', validate, jsonSchema: { input: () => jsonSchema, output: () => jsonSchema } }

  const parsing = (hooks: ActionHooks) => {
    const executed: object[] = []
    const tool = defineTool({
      name: 'pay',
      description: 'Pay.',
      effect: 'write',
      needsApproval: true,
      args: { '~standard': standard } as unknown as TypedSchema<object, object>,
      execute: (args) => {
        executed.push(args)
        return 'Paid.'
      },
    })
    return { pay: deriveTool(tool, { hooks }), executed }
  }
  const script = [{ toolCalls: [call('pay', { amount: '5' }, 'p1')] }, { text: 'Done.' }]

  it.each<[string, ActionHooks, object]>([
    ["don't change it", { beforeValidate: () => {}, afterExecute: () => {} }, { amount: 3 }],
    ['add to it', { beforeExecute: (args) => ({ ...args, at: 1 }) }, { amount: 3, at: 1 }],
  ])('runs when hooks %s', async (_, hooks, made) => {
    const { pay, executed } = parsing(hooks)
    const { agent } = await agentFor([pay], script)
    await agent.resume(await pause(agent.run({ question: '?' })), { p1: edit('3') })
    expect(executed).toEqual([made])
  })

  it('is rejected when a hook changes it', async () => {
    const { pay, executed } = parsing({ beforeExecute: (args) => times100(args as { amount: number }) })
    const { agent } = await agentFor([pay], script)
    const paused = await pause(agent.run({ question: '?' }))
    await expect(agent.resume(paused, { p1: edit('3') })).rejects.toMatchObject({
      code: 'approval_invalid',
      message: expect.stringContaining('A hook of "pay" would change the edited arguments to {"amount":300}.'),
    })
    expect(executed).toEqual([])
  })
})
