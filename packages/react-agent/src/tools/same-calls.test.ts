/** A call through `call_tool` must have the same events, records and effects as a direct call of the found tool. */
import type { RawToolCall } from '@x/adapters'
import { type ScriptedReply, scriptedLM } from '@x/lm/testing'
import { createRegistry } from '@x/registry'
import { defineTool, ToolError } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { pause } from '../../test/approval/payments.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import type { Decision } from '../approval/decision.ts'
import type { PausedRun } from '../approval/paused-run.ts'
import type { AgentEvent } from '../events.ts'
import type { ReactAgentOptions, RunOptions } from '../options.ts'
import { createReactAgent } from '../react-agent.ts'

type Write = (name: string, args: unknown, id: string) => RawToolCall

/** The two ways to call a found tool. Arguments that are text stand for arguments that the model wrote wrongly. */
const WAYS: Readonly<Record<string, Write>> = {
  'by name': (name, args, id) => call(name, args as object, id),
  'with call_tool': (name, args, id) => call('call_tool', { name, arguments: args }, id),
}

const tools = (log: string[]) => {
  let failures = 1
  const note = (name: string, { idempotencyKey }: { idempotencyKey: string }) => log.push(`${name} ${idempotencyKey}`)
  const about = { description: 'Work in the shop.', args: Type.Object({}) }
  return [
    defineTool({
      ...about,
      name: 'pay',
      args: Type.Object({ amount: Type.Integer({ minimum: 1 }) }),
      effect: 'write',
      needsApproval: true,
      execute: ({ amount }, context) => note(`pay ${amount}`, context) && `Paid ${amount}.`,
    }),
    defineTool({ ...about, name: 'note', effect: 'write', execute: (_, context) => note('note', context) && 'Noted.' }),
    defineTool({ ...about, name: 'look', effect: 'read', execute: (_, context) => note('look', context) && 'Nothing new.' }),
    defineTool({
      ...about,
      name: 'busy',
      effect: 'idempotent',
      maxRetries: 1,
      execute: (_, context) => {
        note('busy', context)
        if (failures-- > 0) throw new ToolError('execution_failed', 'Busy.', { retryable: true })
        return 'Free.'
      },
    }),
    defineTool({
      ...about,
      name: 'fail',
      execute: (_, context) => {
        note('fail', context)
        throw new ToolError('execution_failed', 'Broken.', { reason: 'broken' })
      },
    }),
    defineTool({ ...about, name: 'list', effect: 'read', execute: () => 'x'.repeat(250) }),
  ]
}

interface Scenario {
  /** The turns of the model after its search, as names, arguments and ids of calls. */
  readonly turns: readonly (readonly (readonly [name: string, args: unknown, id: string])[])[]
  /** The executions of tools, in order. */
  readonly ran: readonly string[]
  readonly options?: Partial<ReactAgentOptions<typeof answer>>
  readonly run?: RunOptions
  /** Resumes the run in another agent with these decisions each time it pauses. */
  readonly decisions?: readonly Readonly<Record<string, Decision | boolean>>[]
  /** Starts the run again with its journal, without these records. */
  readonly lost?: readonly string[]
}

const PAY = [[['pay', { amount: 5 }, 'p1']]] as const

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'an approval while the run waits': { ran: ['pay 5'], turns: PAY, run: { approve: () => true } },
  'an edit': { ran: ['pay 7'], turns: PAY, run: { approve: () => ({ type: 'edit', args: { amount: 7 } }) } },
  'a rejection': { ran: [], turns: PAY, run: { approve: () => ({ type: 'reject', reason: 'Too much.' }) } },
  'an approval after a pause': { ran: ['pay 5'], turns: PAY, decisions: [{ p1: true }] },
  'an approval after a pause in the journal': {
    ran: ['pay 5'],
    turns: PAY,
    run: { steps: new MemorySteps() },
    decisions: [{ p1: true }],
  },
  'two pauses in one turn': {
    ran: ['look', 'pay 1'],
    turns: [
      [
        ['look', {}, 'l1'],
        ['pay', { amount: 1 }, 'p1'],
        ['pay', { amount: 2 }, 'p2'],
      ],
    ],
    decisions: [{ p1: true }, { p2: false }],
  },
  'a write between reads': {
    ran: ['look', 'note', 'look'],
    turns: [
      [
        ['look', {}, 'l1'],
        ['note', {}, 'n1'],
        ['look', {}, 'l2'],
      ],
    ],
  },
  'invalid arguments': { ran: [], turns: [[['pay', { amount: 'five' }, 'p1']], [['pay', { amount: 0 }, 'p2']]] },
  'arguments that are a list': { ran: [], turns: [[['pay', '[5]', 'p1']]] },
  'arguments that are cut off': { ran: [], turns: [[['pay', '{"amount": ', 'p1']]] },
  'arguments with a repair': { ran: ['pay 5'], turns: [[['pay', "{'amount': 5}", 'p1']]], run: { approve: () => true } },
  'an unknown tool': { ran: [], turns: [[['pays', {}, 'p1']]] },
  'a retry': { ran: ['busy', 'busy'], turns: [[['busy', {}, 'b1']]] },
  'a repeated call': {
    ran: ['look', 'look'],
    turns: ['a', 'b', 'c', 'd'].map((id) => [['look', {}, id]]),
    options: { maxRepeats: 2 },
  },
  'a repeated call before and after a pause': {
    ran: ['look', 'look'],
    turns: [[['look', {}, 'a']], [['look', {}, 'b']], [['pay', { amount: 1 }, 'p1']], [['look', {}, 'c']], [['look', {}, 'd']]],
    options: { maxRepeats: 2 },
    decisions: [{ p1: false }],
  },
  'a tool that keeps failing': {
    ran: ['fail', 'fail'],
    turns: ['a', 'b', 'c'].map((id) => [['fail', { id }, id]]),
    options: { maxToolFailures: 2 },
  },
  'identical writes in one turn': {
    ran: ['note'],
    turns: [
      [
        ['note', {}, 'a'],
        ['note', {}, 'b'],
      ],
    ],
  },
  'a long result': {
    ran: [],
    turns: [[['list', {}, 'a']], [['read_result', { call: 'a', offset: 100 }, 'r']]],
    options: { maxResultLength: 100 },
  },
  'a start from the journal': {
    ran: ['note', 'look'],
    turns: [[['note', {}, 'n1']], [['look', {}, 'l1']]],
    run: { steps: new MemorySteps() },
    lost: [],
  },
  'a kill during a write': { ran: ['note'], turns: [[['note', {}, 'n1']]], run: { steps: new MemorySteps() }, lost: ['call-n1'] },
  'a kill during an idempotent write': {
    ran: ['busy', 'busy', 'busy', 'busy'],
    turns: [[['busy', {}, 'b1']]],
    run: { steps: new MemorySteps() },
    lost: ['call-b1'],
  },
  'a kill before a write': {
    ran: ['note', 'note'],
    turns: [[['note', {}, 'n1']]],
    run: { steps: new MemorySteps() },
    lost: ['intent-n1', 'call-n1'],
  },
}

/** Plays a scenario. The result contains everything but the model's own requests and replies. */
async function play(write: Write, { turns, options, run = {}, decisions = [], lost }: Scenario) {
  const log: string[] = []
  const steps = run.steps === undefined ? undefined : new MemorySteps()
  const events: unknown[] = []
  const replies: readonly ScriptedReply[] = [
    { toolCalls: [call('search_tools', { query: 'work in the shop' }, 's')] },
    ...turns.map((calls) => ({ toolCalls: calls.map(([name, args, id]) => write(name, args, id)) })),
    { text: 'Done.' },
  ]
  const lm = scriptedLM(replies)
  const create = () => {
    const called = new Set(turns.flatMap((calls) => calls.map(([name]) => name)))
    // A search finds at most five tools.
    const registry = createRegistry(tools(log).filter(({ name }) => called.has(name)))
    return createReactAgent({ lm, tools: [], search: registry, signature: answer, maxSteps: 20, ...options })
  }
  const begin = async (paused?: PausedRun, decision: Readonly<Record<string, Decision | boolean>> = {}) => {
    const agent = await create()
    const given = { ...run, steps }
    const started =
      paused === undefined ? agent.run({ question: '?' }, { ...given, id: 'run' }) : agent.resume(paused, decision, given)
    const reading = (async () => {
      for await (const event of started.stream()) events.push(...comparable(event))
    })().catch(() => {})
    const settled = await started.then(
      (result) => ({ result }),
      () => ({ paused: pause(started) }),
    )
    await reading
    return 'paused' in settled ? { paused: await settled.paused } : settled
  }
  let outcome = await begin()
  for (const decision of decisions) outcome = await begin((outcome as { paused: PausedRun }).paused, decision)
  if (lost !== undefined) {
    for (const key of lost) steps?.records.delete(key)
    events.push('started again')
    outcome = await begin()
  }
  lm.assertDone()
  const { result } = outcome as { result: { trajectory: { messages: readonly object[] }; unknownCalls: unknown } }
  const results = result.trajectory.messages.flatMap((message) => ('callId' in message ? [{ ...message, name: undefined }] : []))
  return { log, events, results, unknown: result.unknownCalls, journal: [...(steps?.records ?? [])].map(comparableRecord) }
}

function comparable(event: AgentEvent): readonly unknown[] {
  const { at, ...rest } = { ms: 0, ...event } as AgentEvent & { ms: number }
  if (/^(model_started|model_finished|assistant_message)$/.test(event.type)) return [event.type]
  return event.type === 'finished' ? [event.type] : [{ ...rest, ms: 0 }]
}

/** A reply is recorded as the model wrote it. The token of an intent differs in each execution. */
function comparableRecord([key, text]: readonly [string, string]): readonly [string, unknown] {
  const value: unknown = JSON.parse(text)
  if (key.startsWith('model-')) return [key, (value as { approvals?: unknown }).approvals]
  return [key, key.startsWith('intent-') ? typeof value : value]
}

describe.each(Object.entries(SCENARIOS))('%s', (title, scenario) => {
  it('is the same for a call by name and for one with call_tool', async () => {
    const direct = await play(WAYS['by name'] as Write, scenario)
    const wrapped = await play(WAYS['with call_tool'] as Write, scenario)
    expect(wrapped).toEqual(direct)
    expect(direct.log.map((line) => line.replace(/ run.*/, ''))).toEqual(scenario.ran)
    expect(JSON.stringify(direct.results).includes('There is no tool')).toBe(title === 'an unknown tool')
  })
})
