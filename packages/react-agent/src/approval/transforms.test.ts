/** Tests calls to tools whose schema transforms the arguments: the input is shown and edited, and the result is executed. */
import { defineTool, type Tool, ToolError } from '@x/tool-core'
import { describe, expect, it } from 'vitest'
import { agentFor, pause, resultsOf } from '../../test/approval/payments.ts'
import { schemaOf } from '../../test/schema.ts'
import { call } from '../../test/tools.ts'
import type { AskedCall, Decision, PendingCall } from './decision.ts'

function parsing(parse: (amount: unknown) => unknown, type?: string) {
  const executed: unknown[] = []
  let parses = 0
  const pay = defineTool({
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

describe('a call to a tool whose schema transforms', () => {
  it.each<[string, (amount: unknown) => unknown, string, unknown, unknown, unknown]>([
    ['a string to a number', toNumber, 'string', '1', '1', 1],
    ['a number to another number', doubled, 'number', 5, 5, 10],
    ['a string to a string that stays the same', trimmed, 'string', ' a ', 'a', 'a'],
    ['a string to a date', toDate, 'string', '2026-01-02', '2026-01-02T00:00:00.000Z', new Date('2026-01-02')],
    ['a string to a set', toSet, 'string', 'ab', 'ab', new Set('ab')],
  ])('%s shows arguments in the form in which they can be edited', async (_, parse, type, given, shown, made) => {
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

  it("keeps the transformed arguments across a pause, and isn't parsed again", async () => {
    const paused = await pause((await agentFor([parsing(doubled, 'number').pay], asking(5))).agent.run({ question: '?' }))
    expect(paused.pending).toMatchObject([{ args: { amount: 5 }, executes: { amount: 10 } }])
    const { pay, executed, parses } = parsing(doubled, 'number')
    await (await agentFor([pay], asking(5).slice(1))).agent.resume(paused, { p1: true })
    expect({ executed, parses: parses() }).toEqual({ executed: [10], parses: 0 })
  })

  it('keeps a list that the schema returned across a pause', async () => {
    const asList = () => {
      const executed: object[] = []
      const parse = async (args: object) => ({ args: Object.values(args).map(doubled) })
      const execute = (args: object) => executed.push(args)
      return { executed, pay: { ...parsing(doubled, 'number').pay, parse, execute } as unknown as Tool }
    }
    const paused = await pause((await agentFor([asList().pay], asking(5))).agent.run({ question: '?' }))
    expect(paused.pending).toMatchObject([{ args: { amount: 5 }, executes: [10] }])
    const { pay, executed } = asList()
    await (await agentFor([pay], asking(5).slice(1))).agent.resume(paused, { p1: true })
    expect(executed).toEqual([[10]])
  })

  it("is prepared again if JSON can't represent the result, and rejected if the result differs", async () => {
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
    const resumed = await (await agentFor([other.pay], asking('').slice(1))).agent.resume(paused, { p1: true })
    expect(resultsOf(resumed)).toEqual([expect.stringContaining('was not run')])
    expect(other.executed).toEqual([])
  })

  it('is invalid when the stored transformed arguments were changed', async () => {
    const paused = await pause((await agentFor([parsing(doubled, 'number').pay], asking(5))).agent.run({ question: '?' }))
    const changed = { ...paused, pending: [{ ...(paused.pending[0] as PendingCall), executes: { amount: 1_000 } }] }
    const { pay, executed } = parsing(doubled, 'number')
    const resumed = (await agentFor([pay], asking(5).slice(1))).agent.resume(changed, { p1: true })
    await expect(resumed).rejects.toMatchObject({ code: 'approval_invalid' })
    expect(executed).toEqual([])
  })

  it('calls onError for an invalid edit, and for a tool that fails after approval', async () => {
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
