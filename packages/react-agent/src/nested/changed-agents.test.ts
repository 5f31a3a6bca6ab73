/** A process that continues a run may have another agent than the one before: other limits, effects, approvals or tools. */
import type { LM } from '@x/adapters'
import { defineTool, type Effect, type ToolContext } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { pause, resultsOf } from '../../test/approval/payments.ts'
import { event } from '../../test/clock.ts'
import { openProgram, runProgram } from '../../test/nested/program-tool.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'
import { agentTool } from '../tools/agent-tool.ts'

const ask = { key: 'day', message: 'Which day?', schema: Type.Object({ day: Type.Integer() }) }
const input = { type: 'input', input: { day: 1 } } as const

function valueTool(
  name: string,
  log: string[],
  options: { effect?: Effect | 'undeclared' | undefined; needsApproval?: boolean; before?(v: number): unknown },
) {
  const { effect = 'write', needsApproval = false, before } = options
  return defineTool({
    name,
    description: name,
    args: Type.Object({ v: Type.Integer() }),
    effect: effect === 'undeclared' ? undefined : effect,
    needsApproval,
    execute: async ({ v }) => {
      await before?.(v)
      log.push(`${name} ${v}`)
      return v
    },
  })
}

describe('a repeated program', () => {
  /** Pays with the result that came first, then asks. */
  const body = async ({ call: make, ask: put }: ToolContext) => {
    const looks = [1, 2, 3].map((v) => make({ name: 'look', args: { v } }))
    const first = await Promise.race(looks)
    const paid = await make({ name: 'pay', args: { v: first } })
    await put(ask)
    return [paid, await Promise.all(looks)]
  }

  const open = (log: string[], effect: Effect, maxParallelCalls: number, isResumed: boolean) => {
    const last = event()
    // The third call ends first if it runs at the same time.
    const before = (v: number) =>
      v === 3 ? void setTimeout(last.reach, 5) : maxParallelCalls > 2 && effect === 'read' && last.reached
    const tools = [valueTool('look', [], { effect, before }), valueTool('pay', log, {})]
    return openProgram(body, tools, { maxParallelCalls, ...(isResumed && { isResumed }) })
  }

  it.each([
    ['fewer parallel calls', 'read', 8, 'read', 1],
    ['fewer parallel calls, but several', 'read', 3, 'read', 2],
    ['more parallel calls', 'read', 1, 'read', 8],
    ['a tool that writes now', 'read', 8, 'write', 8],
    ['a tool that only reads now', 'write', 8, 'read', 8],
  ] as const)('has the recorded order of results with %s', async (_, effect, limit, otherEffect, otherLimit) => {
    const log: string[] = []
    const first = await open(log, effect, limit, false)
    const paused = await pause(first.agent.run({ question: '?' }, { id: 'r' }))
    const winner = limit > 2 && effect === 'read' ? 3 : 1
    expect(log).toEqual([`pay ${winner}`])
    const { agent } = await open(log, otherEffect, otherLimit, true)
    const result = await agent.resume(paused, { 'c1.day': input })
    expect(resultsOf(result)).toEqual([`[${winner},[1,2,3]]`])
    expect(log).toHaveLength(1)
  })

  it('cannot be resumed without its tool, or if the tool makes no calls any more', async () => {
    const paused = await pause((await runProgram(({ ask: put }) => put(ask))).result)
    for (const [options, words] of [
      [{ name: 'other' }, 'the agent no longer has the tool "program"'],
      [{ nested: undefined }, 'the tool "program" no longer has `nested`, but has made calls'],
    ] as const) {
      const { agent } = await openProgram(() => 'ran', [], { isResumed: true }, options)
      const resumed = agent.resume(paused, { 'c1.day': input })
      await expect(resumed).rejects.toMatchObject({ code: 'invalid_paused_run', message: expect.stringContaining(words) })
    }
  })
})

describe('a tool whose need for approval changes while a run is open', () => {
  const pay = call('pay', { v: 1 }, 'p1')
  const wait = call('wait', { v: 2 }, 'w1')

  /** Replies by the messages, so it is the same in each process. */
  const lmOf = (...replies: object[]): LM => ({
    generate: async ({ messages }) => {
      const reply = replies[messages.filter(({ role }) => role === 'assistant').length]
      return { text: reply ? '' : 'Done.', toolCalls: (reply ? [reply] : []) as never }
    },
  })

  type Open = (
    log: string[],
    needsApproval: boolean,
    effect?: Effect | 'undeclared',
  ) => Promise<{
    run(inputs: { question: string }, options: object): Promise<object>
  }>

  const places: [string, string, Open][] = [
    [
      'of the run',
      '',
      (log, needsApproval, effect) => {
        const tools = [valueTool('pay', log, { needsApproval, effect }), valueTool('wait', [], { needsApproval: true })]
        return createReactAgent({ lm: lmOf(pay, wait), tools, signature: answer }) as never
      },
    ],
    [
      'of an inner agent',
      'nested-c1/',
      async (log, needsApproval, effect) => {
        const tools = [valueTool('pay', log, { needsApproval, effect }), valueTool('wait', [], { needsApproval: true })]
        const clerk = await createReactAgent({ lm: lmOf(pay, wait), tools, signature: answer, name: 'clerk' })
        const lm = lmOf(call('ask', { question: '?' }, 'c1'))
        return createReactAgent({
          lm,
          tools: [agentTool(clerk, { name: 'ask', description: 'Asks.' })],
          signature: answer,
        }) as never
      },
    ],
    [
      'of a program',
      'nested-c1/',
      async (log, needsApproval, effect) => {
        const body = async ({ call: make }: ToolContext) => {
          const paid = await make({ name: 'pay', args: { v: 1 } }).catch((error) => error.code)
          return [paid, await make({ name: 'wait', args: { v: 2 } })]
        }
        const tools = [valueTool('pay', log, { needsApproval, effect }), valueTool('wait', [], { needsApproval: true })]
        return (await openProgram(body, tools)).agent as never
      },
    ],
  ]

  it.each(places)('a call %s that was rejected is not run', async (place, prefix, open) => {
    const log: string[] = []
    const steps = new MemorySteps()
    const id = place === 'of a program' ? 'c1.1' : 'p1'
    await pause((await open(log, true)).run({ question: '?' }, { id: 'r', steps }))
    steps.decisions.set(`${prefix}approval-${id}`, { type: 'reject' })
    await pause((await open(log, false)).run({ question: '?' }, { id: 'r', steps }))
    expect(log).toEqual([])
    expect(steps.records.has(`${prefix}call-${id}`)).toBe(false)
  })

  it.each(places)('a call %s that has run is not shown, and keeps its result', async (place, prefix, open) => {
    const log: string[] = []
    const steps = new MemorySteps()
    const [id, next] = place === 'of a program' ? ['c1.1', 'c1.2'] : ['p1', 'w1']
    await pause((await open(log, false)).run({ question: '?' }, { id: 'r', steps }))
    steps.decisions.set(`${prefix}approval-${id}`, { type: 'reject' })
    const paused = await pause((await open(log, true)).run({ question: '?' }, { id: 'r', steps }))
    expect(paused.pending.map(({ key }) => key)).toEqual([`${prefix}approval-${next}`])
    expect(steps.records.has(`${prefix}asked-${id}`)).toBe(false)
    expect(log).toEqual(['pay 1'])
  })

  it.each(places)('a call %s that was made without one is not run if its process stopped before', async (place, prefix, open) => {
    const log: string[] = []
    const steps = new MemorySteps()
    const id = place === 'of a program' ? 'c1.1' : 'p1'
    await pause((await open(log, false)).run({ question: '?' }, { id: 'r', steps }))
    const made = [...steps.records.keys()].findIndex((key) => key.includes('pay') || key === `${prefix}call-${id}`)
    for (const key of [...steps.records.keys()].slice(made)) steps.records.delete(key)
    steps.records.delete(`${prefix}intent-${id}`)
    const run = (await open(log, true)).run({ question: '?' }, { id: 'r', steps })
    await expect(run).rejects.toMatchObject({
      code: 'agent_changed',
      message: expect.stringContaining(`The call "${id}" can't go on with this agent: its tool now requires approval.`),
    })
    expect(log).toEqual(['pay 1'])
  })

  const changes = [
    ['write', 'read'],
    ['undeclared', 'read'],
    ['undeclared', 'idempotent'],
  ] as const
  const changed = places.flatMap(([place, ...rest]) => changes.map((change) => [place, ...change, ...rest] as const))
  it.each(changed)(
    'a call %s is not repeated if its process stopped during it, its effect was %s and now is %s',
    async (place, before, after, prefix, open) => {
      const log: string[] = []
      const steps = new MemorySteps()
      const id = place === 'of a program' ? 'c1.1' : 'p1'
      await pause((await open(log, false, before)).run({ question: '?' }, { id: 'r', steps }))
      const keys = [...steps.records.keys()]
      for (const key of keys.slice(keys.indexOf(`${prefix}call-${id}`))) steps.records.delete(key)
      await pause((await open(log, false, after)).run({ question: '?' }, { id: 'r', steps }))
      expect(log).toEqual(['pay 1'])
      expect(steps.records.get(`${prefix}call-${id}`)).toContain('"unknown_outcome"')
    },
  )

  it('a rejected call of an inner agent is not run when a paused run is resumed', async () => {
    const log: string[] = []
    const [, , open] = places[1] as [string, string, Open]
    const paused = await pause((await open(log, true)).run({ question: '?' }, { id: 'r' }))
    const resumed = ((await open(log, false)) as never as { resume(...parts: unknown[]): Promise<object> }).resume(paused, {
      'c1.p1': { type: 'reject' },
    })
    await expect(resumed).rejects.toMatchObject({ code: 'agent_changed' })
    expect(log).toEqual([])
  })
})
