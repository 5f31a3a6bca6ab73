/** The redacted events of a run must not contain anything private. */
import { scriptedLM } from '@x/lm/testing'
import { createRegistry } from '@x/registry'
import { defineTool, ToolError } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'
import { type RedactedEvent, redactedEvents } from './redacted-events.ts'

const KEY = 'sk-abcdefghij0123456789'

/** Everything that a run receives contains a marker: PRIVATE in content, TENANT in run-scoped values, HIDDEN in secrets. */
const look = defineTool({
  name: 'look',
  description: 'PRIVATE description.',
  args: Type.Object({
    at: Type.String(),
    password: Type.Optional(Type.String()),
    card: Type.Optional(Type.String({ writeOnly: true })),
  }),
  context: Type.Object({ tenant: Type.String() }),
  needsApproval: true,
  execute: ({ at }, { progress, values }) => {
    progress({ note: 'PRIVATE progress', token: 'HIDDEN' })
    if (at === 'nothing') throw new ToolError('execution_failed', `PRIVATE error, key ${KEY}`)
    return { seen: `PRIVATE result of ${values.tenant}`, apiKey: 'HIDDEN', note: KEY }
  },
})

const fetchPage = defineTool({
  name: 'fetch_page',
  description: 'Fetches a page.',
  args: Type.Object({ at: Type.String() }),
  effect: 'read',
  execute: () => 'A page.',
})

const script = [
  {
    text: 'PRIVATE thought',
    reasoning: 'PRIVATE reasoning',
    toolCalls: [call('look', { at: 'PRIVATE', password: 'HIDDEN', card: 'HIDDEN' }, 'c1')],
  },
  { toolCalls: [call('look', { at: 'nothing' }, 'c2'), call('look', '{"PRIVATE', 'c3'), call(`PRIVATE_${KEY}`, {}, 'c4')] },
  { toolCalls: [call('look', { at: 'PRIVATE', password: 'HIDDEN', card: 'HIDDEN' }, 'c5')] },
  { text: `The answer. ${KEY}` },
]

async function redacted(options?: Parameters<typeof redactedEvents>[1], replies: Parameters<typeof scriptedLM>[0] = script) {
  const lm = scriptedLM(replies)
  const agent = await createReactAgent({ lm, tools: [look], signature: answer, stream: true, maxRepeats: 1 })
  const run = agent.run({ question: 'PRIVATE question' }, { context: { tenant: 'TENANT' }, approve: () => true, id: 'r' })
  const events: RedactedEvent[] = []
  for await (const { at, ...event } of redactedEvents(run.stream(), options)) events.push(event as RedactedEvent)
  return events
}

describe('redactedEvents', () => {
  it('contain no prompt, reasoning, argument, result, secret or run-scoped value by default', async () => {
    const text = JSON.stringify(await redacted())
    for (const marker of ['PRIVATE', 'TENANT', 'HIDDEN', KEY]) expect(text).not.toContain(marker)
  })

  it('contain what happened, in order, and the outputs', async () => {
    const events = await redacted(undefined, [script[0] ?? {}, { text: 'The answer.' }])
    expect(events).toEqual([
      { type: 'run_started', runId: 'r', agent: 'agent' },
      { type: 'step_started', step: 1 },
      { type: 'model_started', step: 1 },
      { type: 'model_finished', step: 1 },
      { type: 'approval_requested', step: 1, callId: 'c1', name: 'look', needs: 'approval' },
      { type: 'approval_decided', step: 1, callId: 'c1', name: 'look', decision: 'approve' },
      { type: 'call_started', step: 1, callId: 'c1', name: 'look' },
      { type: 'call_finished', step: 1, callId: 'c1', name: 'look', ms: expect.any(Number), ok: true },
      { type: 'step_started', step: 2 },
      { type: 'model_started', step: 2 },
      { type: 'model_finished', step: 2 },
      { type: 'finished', outputs: { answer: 'The answer.' }, termination: 'finished', steps: 2 },
    ])
  })

  it('contain the content of listed tools, without secrets', async () => {
    const events = await redacted({ show: [look] })
    const of = (type: RedactedEvent['type'], callId: string) =>
      events.find((event) => event.type === type && 'callId' in event && event.callId === callId)
    const args = { at: 'PRIVATE', password: '[redacted]', card: '[redacted]' }
    expect(of('approval_requested', 'c1')).toMatchObject({ args })
    expect(of('call_started', 'c1')).toMatchObject({ args })
    expect(of('call_progress', 'c1')).toMatchObject({ name: 'look', update: { note: 'PRIVATE progress', token: '[redacted]' } })
    const output = { seen: 'PRIVATE result of TENANT', apiKey: '[redacted]', note: '[redacted]' }
    expect(of('call_finished', 'c1')).toMatchObject({ ok: true, output })
    expect(of('call_finished', 'c2')).toMatchObject({ ok: false, message: 'PRIVATE error, key [redacted]' })
    expect(of('call_finished', 'c4')).toMatchObject({ name: 'unknown_tool', ok: false, code: 'unknown_tool' })
    expect(of('call_refused', 'c5')).toMatchObject({ reason: 'repeated_call' })
    const text = JSON.stringify(events)
    for (const marker of ['PRIVATE question', 'PRIVATE thought', 'PRIVATE reasoning', 'HIDDEN', KEY])
      expect(text).not.toContain(marker)
  })

  it('name the call of a decision whose request was reported in an earlier execution', async () => {
    const steps = new MemorySteps()
    const lm = scriptedLM([script[0] ?? {}, { text: 'The answer.' }])
    const agent = await createReactAgent({ lm, tools: [look], signature: answer })
    const events: RedactedEvent[] = []
    const run = async () => {
      const running = agent.run({ question: '?' }, { context: { tenant: 'TENANT' }, steps })
      for await (const event of redactedEvents(running.stream())) if (event.type.startsWith('approval_')) events.push(event)
    }
    await run()
    steps.decisions.set('approval-c1', true)
    await run()
    await run()
    expect(events).toMatchObject([
      { type: 'approval_requested', callId: 'c1', name: 'look' },
      { type: 'approval_decided', callId: 'c1', name: 'look' },
    ])
    expect(events.length).toBe(2)
  })

  it('name tools that no request offers if they are listed, or if a call to one requires approval', async () => {
    const search = createRegistry([look, fetchPage])
    const find = { toolCalls: [call('search_tools', { query: 'page description' }, 'c1')] }
    const found = ['look', 'fetch_page', `PRIVATE_${KEY}`].map((name, n) => {
      return call('call_tool', { name, arguments: { at: 'PRIVATE' } }, `f${n}`)
    })
    const lm = scriptedLM([find, { toolCalls: found }, { text: 'The answer.' }])
    const agent = await createReactAgent({ lm, tools: [], search, signature: answer })
    const run = agent.run({ question: '?' }, { context: { tenant: 'TENANT' }, approve: () => true })
    const names: unknown[] = []
    for await (const event of redactedEvents(run.stream(), { show: [fetchPage] }))
      if (event.type === 'call_finished' || event.type === 'approval_requested') names.push(event.name)
    expect(names.sort()).toEqual(['fetch_page', 'look', 'look', 'search_tools', 'unknown_tool'])
  })

  it('end with the code of a failure, without its message', async () => {
    const events = await redacted(undefined, [new Error('PRIVATE down')])
    expect(events.at(-1)).toEqual({ type: 'failed', code: 'model_failed' })
    expect(JSON.stringify(events)).not.toContain('PRIVATE')
  })
})
