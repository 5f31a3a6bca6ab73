/** Tests runs with random faults of the model, the tools and the caller. Every run must end with a correct trajectory. */
import type { LM, LMResponse, Message } from '@x/adapters'
import { defineTool, type Tool, ToolError, validate } from '@x/tool-core'
import fc from 'fast-check'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { aTurn, onFakeClock } from '../../test/clock.ts'
import { answer } from '../../test/tools.ts'
import { AgentError } from '../errors.ts'
import { createReactAgent } from '../react-agent.ts'

const RUNS = process.env.X_FULL ? 1000 : 100

const TOOLS = ['quick', 'slow', 'write', 'throws', 'retried', 'hangs', 'odd', 'asks'] as const
const BEHAVIOURS = ['calls', 'calls', 'calls', 'text', 'empty', 'throws', 'hangs', 'error', 'cut', 'malformed'] as const

const oneCall = fc.record({
  name: fc.constantFrom(...TOOLS, 'unknown', ''),
  id: fc.constantFrom('a', 'b', 'c', ''),
  arguments: fc.constantFrom('{}', '{"n": 1}', '{"n": "x"}', '{"n": ', 'no json', '', '[1]'),
  truncated: fc.boolean(),
})
const turn = fc.record({ behaviour: fc.constantFrom(...BEHAVIOURS), calls: fc.array(oneCall, { maxLength: 4 }) })
const schedule = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 6 }),
  /** Time of the abort, in milliseconds on a fake clock. */
  abortAfter: fc.option(fc.integer({ min: 0, max: 12 })),
  timeoutMs: fc.option(fc.integer({ min: 1, max: 25 }), { nil: undefined }),
  approve: fc.constantFrom(true, false, undefined, 'throws'),
})

type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never

/** A schedule without an abort and without `approve`. */
const CALM = { abortAfter: null, timeoutMs: undefined, approve: undefined }

const ARGS = Type.Object({ n: Type.Optional(Type.Integer()) })

function calling(name: (typeof TOOLS)[number]) {
  const one = { name, id: 'a' as const, arguments: '{}' as const, truncated: false }
  return { behaviour: 'calls' as const, calls: [one] }
}

const HANGS = { behaviour: 'hangs' as const, calls: [] }
/** A turn with two calls that run one after the other. */
const WRITES = {
  behaviour: 'calls' as const,
  calls: (['{}', '{"n": 1}'] as const).map((args, index) => ({
    ...{ name: 'write' as const, id: index === 0 ? ('a' as const) : ('b' as const) },
    ...{ arguments: args, truncated: false },
  })),
}

/** One schedule for each way in which a run can end, plus one with an abort between two calls. */
const EXAMPLES: [Schedule][] = [
  [{ ...CALM, turns: [calling('slow')] }],
  [{ ...CALM, turns: Array(6).fill(calling('quick')) }],
  [{ ...CALM, turns: [calling('asks')] }],
  [{ ...CALM, turns: [HANGS] }],
  [{ ...CALM, turns: [HANGS], timeoutMs: 5 }],
  [{ ...CALM, turns: [HANGS], abortAfter: 5 }],
  [{ ...CALM, turns: [WRITES], abortAfter: 2 }],
]

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What the tools and the model observe. */
interface Log {
  readonly executed: string[]
  readonly late: string[]
}

function toolsFor(log: Log, signal: AbortSignal): readonly Tool[] {
  const bodies: Readonly<Record<(typeof TOOLS)[number], () => unknown>> = {
    quick: () => 1,
    slow: () => wait(3),
    write: () => wait(1),
    throws: () => {
      throw null
    },
    retried: () => {
      throw new ToolError('execution_failed', 'Later.', { retryable: true })
    },
    hangs: () => new Promise(() => {}),
    odd: () => ({ big: 10n, self: globalThis, text: '\ud800' }),
    asks: () => 'asked',
  }
  return TOOLS.map((name) =>
    defineTool({
      name,
      description: `The tool ${name}.`,
      args: ARGS,
      effect: name === 'write' ? 'write' : 'read',
      timeoutMs: 8,
      needsApproval: name === 'asks',
      execute: (_, { callId }) => {
        log.executed.push(callId)
        if (signal.aborted) log.late.push(callId)
        return bodies[name]()
      },
    }),
  )
}

function modelFor({ turns }: Schedule): LM {
  let next = 0
  return {
    async generate(request): Promise<LMResponse> {
      const { behaviour, calls } = turns[next++] ?? { behaviour: 'text' as const, calls: [] }
      await wait(next % 2)
      if (request.toolChoice === 'none') return { text: 'Forced.', toolCalls: [] }
      switch (behaviour) {
        case 'calls':
          return { text: '', toolCalls: calls }
        case 'cut':
          return { text: '', toolCalls: calls, finishReason: 'length' }
        case 'error':
          return { text: '', toolCalls: calls, finishReason: 'error' }
        case 'malformed':
          return { text: '', toolCalls: [], malformedCalls: ['<call'] }
        case 'throws':
          throw next % 3 === 0 ? undefined : new Error('no power')
        case 'hangs':
          return new Promise(() => {})
        case 'empty':
          return { text: '', toolCalls: [] }
        case 'text':
          return { text: 'Done.', toolCalls: [] }
      }
    },
  }
}

async function play(given: Schedule): Promise<{ log: Log; messages: readonly Message[]; end: string }> {
  const caller = new AbortController()
  const log: Log = { executed: [], late: [] }
  const agent = await createReactAgent({
    lm: modelFor(given),
    tools: toolsFor(log, caller.signal),
    signature: answer,
    maxSteps: 5,
    modelTimeoutMs: 15,
  })
  const { abortAfter, timeoutMs, approve } = given
  const asked = () => {
    if (approve === 'throws') throw new Error('no approver')
    return approve === true
  }
  const timer = abortAfter === null ? undefined : setTimeout(() => caller.abort(), abortAfter)
  try {
    const options = { signal: caller.signal, timeoutMs, ...(approve !== undefined && { approve: asked }) }
    const { trajectory, termination } = await agent.run({ question: '?' }, options)
    return { log, messages: trajectory.messages, end: termination }
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    return { log, messages: error.trajectory?.messages ?? [], end: error.code }
  } finally {
    clearTimeout(timer)
    // Abandoned tools may still finish.
    while (vi.getTimerCount() > 0) await aTurn()
  }
}

/** Asserts that each call of the trajectory has exactly one result, in the right place. */
function assertTrue(messages: readonly Message[]): void {
  const ids = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    const calls = (message.toolCalls ?? []).map(({ id }) => id)
    for (const id of calls) {
      expect(ids.has(id)).toBe(false)
      ids.add(id)
    }
    const results = messages.slice(index + 1, index + 1 + calls.length)
    expect(results.map((result) => (result.role === 'tool' ? result.callId : result.role))).toEqual(calls)
  }
  expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(ids.size)
}

const unhandled: unknown[] = []
const note = (reason: unknown) => unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', note))
afterAll(() => void process.off('unhandledRejection', note))

it(`${RUNS} random schedules of faults: a run ends, each call has one result, none runs twice or after an abort`, async () => {
  // Dynamic imports are loaded before the clock is faked.
  await validate(ARGS, {})
  const ends = new Set<string>()
  await fc.assert(
    fc.asyncProperty(schedule, async (given) => {
      const { log, messages, end } = await onFakeClock(() => play(given))
      ends.add(end)
      assertTrue(messages)
      expect(new Set(log.executed).size).toBe(log.executed.length)
      expect(log.late).toEqual([])
    }),
    { numRuns: RUNS, examples: EXAMPLES },
  )
  await aTurn()
  expect(unhandled).toEqual([])
  expect([...ends]).toEqual(
    expect.arrayContaining(['finished', 'aborted', 'timed_out', 'model_failed', 'approval_required', 'max_steps']),
  )
})
