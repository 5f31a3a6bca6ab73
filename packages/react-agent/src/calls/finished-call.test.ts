/** The events of finished calls contain their arguments and outputs as data, and are the same in a replay. */
import { scriptedLM } from '@x/lm/testing'
import { defineAction, defineTool, type Tool, ToolError } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { pause, payments } from '../../test/approval/payments.ts'
import { schemaOf } from '../../test/schema.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call, report } from '../../test/tools.ts'
import type { Decision } from '../approval/decision.ts'
import type { AgentEvent } from '../events.ts'
import type { ReactAgentOptions, RunOptions } from '../options.ts'
import { createReactAgent } from '../react-agent.ts'

type Finished = Extract<AgentEvent, { type: 'call_finished' }>

/** Returns the `call_finished` events without their times. */
async function finishedIn(events: AsyncIterable<AgentEvent>): Promise<readonly Finished[]> {
  const found: Finished[] = []
  try {
    for await (const event of events) if (event.type === 'call_finished') found.push({ ...event, at: 0, ms: 0 })
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'approval_required') throw error
  }
  return found
}

interface OneCall {
  readonly tool: Tool
  readonly args?: object | string
  readonly options?: Partial<ReactAgentOptions<typeof answer>>
  readonly run?: RunOptions
}

/** Calls a tool in a run with a journal, then replays the run. Both must report the same. */
async function finishedCall({ tool, args = {}, options = {}, run = {} }: OneCall) {
  const steps = new MemorySteps()
  const start = async () => {
    const lm = scriptedLM([{ toolCalls: [call(tool.name, args, 'c')] }, { text: 'Done.' }])
    const agent = await createReactAgent({ lm, tools: [tool], signature: answer, ...options })
    return finishedIn(agent.run({ question: '?' }, { steps, id: 'r', ...run }).stream())
  }
  const [event, ...more] = await start()
  expect(more).toEqual([])
  expect(await start()).toStrictEqual([event])
  return { event: event as Finished, journal: [...steps.records.values()].join('\n') }
}

function returning(output: unknown, rest: object = {}): Tool {
  return defineTool({ name: 'give', description: 'Gives.', args: Type.Object({}), execute: () => output, ...rest })
}

describe('the event of a call that succeeded', () => {
  it('has the executed arguments, the output, and what was changed', async () => {
    const tool = defineTool({
      name: 'hint',
      description: 'A hint.',
      args: Type.Object({ total: Type.Integer({ default: 3 }), word: Type.String() }),
      execute: ({ total, word }) => ({ hint: word.repeat(total) }),
    })
    const { event } = await finishedCall({ tool, args: { word: 'a', extra: 1 } })
    expect(event).toEqual({
      type: 'call_finished',
      at: 0,
      ms: 0,
      step: 1,
      callId: 'c',
      name: 'hint',
      ok: true,
      args: { total: 3, word: 'a' },
      output: { hint: 'aaa' },
      tags: [
        { tag: 'stripped', path: '/extra' },
        { tag: 'defaulted', path: '/total' },
      ],
      outputTags: [],
      observation: { callId: 'c', name: 'hint', ok: true, text: '{"hint":"aaa"}' },
    })
  })

  it.each([
    ['a text that looks like a number', '21', '21'],
    ['a number', 21, 21],
    ['an empty text', '', ''],
    ['a text that looks like JSON', '{"a":1}', '{"a":1}'],
    ['nothing', undefined, null],
    ['a text that looks like an error', 'Error: none', 'Error: none'],
    ['an object with an undefined member', { a: 1, b: undefined }, { a: 1 }],
    ['a negative zero', -0, 0],
  ])('has %s as output', async (_, output, expected) => {
    const { event } = await finishedCall({ tool: returning(output) })
    expect(event).toStrictEqual(expect.objectContaining({ ok: true, output: expected }))
  })

  it('has a value without a JSON form as the tool result has it, with its tag', async () => {
    const { event } = await finishedCall({ tool: returning({ at: new Date(0), size: 5n }) })
    const converted = ['/size'].map((path) => ({ tag: 'converted', path }))
    expect(event).toMatchObject({ output: { at: '1970-01-01T00:00:00.000Z', size: '5' }, outputTags: converted })
  })

  it('has the output where the model reads another form of it', async () => {
    const tool = returning({ rows: [1, 2], note: 'MARKER' }, { toModelOutput: () => '2 rows' })
    const { event, journal } = await finishedCall({ tool })
    expect(event).toMatchObject({ output: { rows: [1, 2] }, observation: { text: '2 rows' } })
    expect(journal.split('MARKER')).toHaveLength(2)
  })

  it('has a long output in full', async () => {
    const output = { text: 'MARKER '.repeat(100) }
    const { event, journal } = await finishedCall({ tool: returning(output), options: { maxResultLength: 100 } })
    expect(event).toMatchObject({ output })
    expect(event.observation.text.length).toBeLessThan(300)
    // The journal contains the first page and the complete text, as before.
    expect(journal.split('MARKER').length).toBeLessThan(120)
  })

  it('has an output whose text was truncated', async () => {
    const text = '"'.repeat(700_000)
    const { event } = await finishedCall({ tool: returning({ text }, { maxOutputLength: 2_000_000 }) })
    expect(/characters 0 to \d+ of 10000\d+;/.test(event.observation.text)).toBe(true)
    expect(event.ok && (event.output as { text: string }).text.length).toBe(700_000)
  })

  it("isn't changed by a tool that changes its arguments and its output", async () => {
    const kept: number[] = []
    const tool = defineTool({
      name: 'sort',
      description: 'Sorts.',
      args: Type.Object({ list: Type.Array(Type.Number()), by: Type.String({ default: 'size' }) }),
      execute: ({ list }) => {
        kept.push(...list.sort())
        return kept
      },
    })
    const { event } = await finishedCall({ tool, args: { list: [3, 1] } })
    kept.push(7)
    expect(event).toMatchObject({ args: { list: [3, 1], by: 'size' }, output: [1, 3] })
  })

  it('has arguments that a hook changed or a schema transformed', async () => {
    const hooked = defineAction({
      name: 'pay',
      description: 'Pays.',
      args: Type.Object({ amount: Type.Number() }),
      output: Type.Object({ paid: Type.Number() }),
      hooks: { beforeExecute: (args) => ({ ...args, amount: args.amount * 2 }) },
      execute: ({ amount }) => ({ paid: amount }),
    })
    expect((await finishedCall({ tool: hooked, args: { amount: 2 } })).event).toMatchObject({ args: { amount: 4 }, tags: [] })
    const parsed = defineTool({
      name: 'book',
      description: 'Books.',
      args: schemaOf((text) => ({ at: new Date(text as string) })),
      execute: () => 'booked',
    })
    const { event } = await finishedCall({ tool: parsed, args: { amount: '1970-01-01' } })
    expect(event).toMatchObject({ args: { amount: { at: '1970-01-01T00:00:00.000Z' } } })
  })

  it('records nothing but the form of a plain result', async () => {
    const { journal } = await finishedCall({ tool: returning({ note: 'MARKER' }) })
    expect(journal.split('\n').at(-2)).toBe(
      '{"observation":{"callId":"c","name":"give","ok":true,"text":"{\\"note\\":\\"MARKER\\"}"},"data":{"form":"json"}}',
    )
  })

  it('records the outputs of a task once', async () => {
    const steps = new MemorySteps()
    const lm = scriptedLM([{ toolCalls: [call('submit', { city: 'Oslo', degrees: 21 }, 's')] }])
    const agent = await createReactAgent({ lm, tools: [], signature: report })
    const run = agent.run({ question: '?' }, { steps })
    const [event] = await finishedIn(run.stream())
    expect((await run).outputs).toEqual({ city: 'Oslo', degrees: 21 })
    expect(event).toMatchObject({ name: 'submit', args: { city: 'Oslo', degrees: 21 }, output: { city: 'Oslo', degrees: 21 } })
    expect((steps.records.get('call-s') ?? '').split('Oslo')).toHaveLength(2)
  })
})

describe('the event of an approved call', () => {
  const decided = async (decision: Decision, args: object = { amount: '5' }) =>
    (await finishedCall({ tool: payments().pay, args, run: { approve: () => decision } })).event

  it('has the arguments as they were shown, with their tags', async () => {
    expect(await decided({ type: 'approve' })).toMatchObject({
      args: { amount: 5 },
      output: 'Paid 5.',
      tags: [{ tag: 'coerced', path: '/amount' }],
    })
  })

  it('has the arguments of an edit, and the output without the note about it', async () => {
    const event = await decided({ type: 'edit', args: { amount: 7 } })
    expect(event).toMatchObject({ args: { amount: 7 }, output: 'Paid 7.', tags: [] })
    expect(event.observation.text).toBe('The arguments of this call were edited during approval: {"amount":7}\nPaid 7.')
  })

  it('has the error of a rejection', async () => {
    expect(await decided({ type: 'reject', reason: 'Too much.' })).toMatchObject({
      ok: false,
      args: { amount: 5 },
      error: { code: 'rejected', message: 'The approver rejected this call, so it was not run. Reason: Too much.' },
    })
  })

  it('is the same in a run that was paused, stored and resumed', async () => {
    const script = [{ toolCalls: [call('pay', { amount: '5' }, 'p')] }, { text: 'Done.' }]
    const agent = async () => createReactAgent({ lm: scriptedLM(script), tools: [payments().pay], signature: answer })
    const paused = await pause((await agent()).run({ question: '?' }))
    const resumed = await createReactAgent({ lm: scriptedLM([{ text: 'Done.' }]), tools: [payments().pay], signature: answer })
    const [event] = await finishedIn(resumed.resume(paused, { p: true }).stream())
    const [direct] = await finishedIn((await agent()).run({ question: '?' }, { approve: () => true }).stream())
    expect(event).toStrictEqual(direct)
  })

  it("isn't kept by a paused run beyond what the model reads", async () => {
    const { pay } = payments()
    const look = returning({ secret: 'MARKER' }, { toModelOutput: () => 'seen' })
    const lm = scriptedLM([{ toolCalls: [call('give', {}, 'g'), call('pay', { amount: 5 }, 'p')] }])
    const agent = await createReactAgent({ lm, tools: [pay, look], signature: answer })
    const paused = await pause(agent.run({ question: '?' }))
    expect(paused.finished).toEqual([{ observation: { callId: 'g', name: 'give', ok: true, text: 'seen' } }])
  })
})

describe('the event of a call that failed', () => {
  it('has the error, its issues, and the arguments as they were written', async () => {
    const { event } = await finishedCall({ tool: payments().pay, args: { amount: 0 }, run: { approve: () => true } })
    expect(event).toMatchObject({
      ok: false,
      args: { amount: 0 },
      error: {
        code: 'invalid_arguments',
        message: 'Invalid arguments for "pay": /amount must be >= 1.',
        issues: [{ path: '/amount', keyword: 'minimum' }],
      },
      observation: { text: 'Error: Invalid arguments for "pay": /amount must be >= 1.' },
    })
  })

  it('has the reason of the tool', async () => {
    const execute = () => {
      throw new ToolError('execution_failed', 'Outside.', { reason: 'path_outside_root' })
    }
    const { event } = await finishedCall({ tool: returning(0, { execute }) })
    expect(event).toMatchObject({ error: { code: 'execution_failed', message: 'Outside.', reason: 'path_outside_root' } })
  })

  it('has no arguments if the call is malformed', async () => {
    const { event } = await finishedCall({ tool: returning(0), args: '{"a' })
    expect(event).toMatchObject({ ok: false, callId: 'c', name: 'give', error: { code: 'invalid_tool_call_arguments' } })
    expect(event).not.toHaveProperty('args')
  })
})
