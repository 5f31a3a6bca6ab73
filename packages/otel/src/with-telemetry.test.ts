import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import type { ScriptedReply } from '@x/lm/testing'
import { AgentError, type PausedRun } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { type AgentOptions, agentOf, call, collectTelemetry, treeOf } from '../test/telemetry.ts'
import { withTelemetry } from './with-telemetry.ts'

const pay = defineTool({
  name: 'pay',
  description: 'Pay an amount.',
  args: Type.Object({ amount: Type.Integer() }),
  effect: 'write',
  needsApproval: true,
  execute: ({ amount }) => `Paid ${amount}.`,
})

const payingAgent = (script: readonly ScriptedReply[], options: AgentOptions = {}) =>
  agentOf(script, { tools: [pay], ...options })

const PAYMENT: readonly ScriptedReply[] = [{ toolCalls: [call('pay', { amount: 5 }, 'p1')] }, { text: 'Done.' }]

async function pausedOf(run: Promise<unknown>): Promise<PausedRun> {
  const error = await run.catch((thrown: unknown) => thrown)
  if (!(error instanceof AgentError) || error.paused === undefined) throw error
  return error.paused
}

describe('withTelemetry', () => {
  it('traces every run of an agent under its name', async () => {
    const { tracer, meter, spans } = collectTelemetry()
    const agent = withTelemetry(await payingAgent([{ text: 'One.' }, { text: 'Two.' }]), { tracer, meter })
    await agent.run({ question: '?' })
    await agent.run({ question: '?' })
    expect(spans().map(({ name }) => name)).toEqual(['chat', 'invoke_agent guide', 'chat', 'invoke_agent guide'])
  })

  it('makes the span of a run active, so that runs of agents in tools are its children', async () => {
    const { tracer, meter, spans } = collectTelemetry()
    const helper = withTelemetry(await agentOf([{ text: 'Sun.' }], { tools: [], name: 'helper' }), { tracer, meter })
    const ask = defineTool({
      name: 'ask',
      description: 'Ask.',
      args: Type.Object({}),
      execute: async () => (await helper.run({ question: '?' })).outputs.answer,
    })
    await withTelemetry(await agentOf([{ toolCalls: [call('ask')] }, { text: 'Sun.' }], { tools: [ask] }), { tracer, meter }).run(
      {
        question: '?',
      },
    )
    expect(treeOf(spans())).toContain('invoke_agent guide > invoke_agent helper')
    expect(trace.getSpan(context.active())).toBeUndefined()
  })

  it('reports a paused run without an error, and the decision when it resumes', async () => {
    const { tracer, meter, spans, span, points } = collectTelemetry()
    const agent = withTelemetry(await payingAgent(PAYMENT), { tracer, meter })
    const paused = await pausedOf(agent.run({ question: '?' }, { id: 'run-1' }))
    expect(span('invoke_agent guide').status.code).toBe(SpanStatusCode.UNSET)
    expect(span('invoke_agent guide').attributes).toMatchObject({ 'x.run.termination': 'paused', 'x.run.id': 'run-1' })
    expect(span('invoke_agent guide').events).toMatchObject([
      {
        name: 'x.approval.requested',
        attributes: { 'gen_ai.tool.name': 'pay', 'gen_ai.tool.call.id': 'p1', 'x.approval.needs': 'approval' },
      },
    ])
    expect((await points('gen_ai.invoke_agent.duration'))[0]?.attributes).toEqual({ 'gen_ai.agent.name': 'guide' })
    await agent.resume(paused, { p1: true })
    const resumed = spans().at(-1)
    expect(resumed?.attributes).toMatchObject({ 'x.run.termination': 'finished', 'x.run.id': 'run-1' })
    expect(resumed?.events.map(({ name }) => name)).toEqual(['x.approval.requested', 'x.approval.decided'])
    expect(resumed?.events[1]?.attributes).toEqual({
      'gen_ai.tool.name': 'pay',
      'gen_ai.tool.call.id': 'p1',
      'x.approval.decision': 'approve',
    })
    expect(span('execute_tool pay').ended).toBe(true)
  })

  it('reports a call that was not executed, without a span', async () => {
    const { tracer, meter, spans, span } = collectTelemetry()
    const agent = withTelemetry(await payingAgent(PAYMENT), { tracer, meter })
    await agent.run({ question: '?' }, { approve: () => ({ type: 'reject', reason: 'No.' }) })
    expect(spans().map(({ name }) => name)).toEqual(['chat', 'chat', 'invoke_agent guide'])
    expect(span('invoke_agent guide').events.map(({ name }) => name)).toEqual([
      'x.approval.requested',
      'x.approval.decided',
      'x.call.not_run',
    ])
  })

  it('reports a refused call once', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const again = { toolCalls: [call('get_weather', { city: 'Oslo' })] }
    const agent = await agentOf([again, again, again, { text: 'Hm.' }], { maxRepeats: 2 })
    await withTelemetry(agent, { tracer, meter }).run({ question: '?' })
    expect(span('invoke_agent guide').events).toMatchObject([
      { name: 'x.call.refused', attributes: { 'gen_ai.tool.name': 'get_weather', 'x.call.refusal': 'repeated_call' } },
    ])
  })

  it('reports the number of repairs in a resumed history', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const history = [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: '', toolCalls: [call('pay', {}, 'lost')] },
    ] as const
    await withTelemetry(await payingAgent([{ text: 'Hi.' }]), { tracer, meter }).run({ question: '?' }, { history: [...history] })
    expect(span('invoke_agent guide').events).toMatchObject([
      { name: 'x.history.repaired', attributes: { 'x.history.repairs': 1 } },
    ])
  })

  it('reports a run that fails to start', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const broken = {
      ...(await payingAgent([])),
      run: () => {
        throw new RangeError('No.')
      },
    }
    expect(() => withTelemetry(broken, { tracer, meter }).run({ question: '?' })).toThrow('No.')
    expect(span('invoke_agent guide').attributes['error.type']).toBe('RangeError')
  })

  it('keeps the name, tools and close of the agent', async () => {
    const inner = await payingAgent([])
    const agent = withTelemetry(inner)
    expect([agent.name, agent.tools]).toEqual([inner.name, inner.tools])
    await agent[Symbol.asyncDispose]()
    await expect(inner.run({ question: '?' })).rejects.toMatchObject({ code: 'closed' })
  })

  it('refuses invalid options immediately', async () => {
    const agent = await payingAgent([])
    expect(() => withTelemetry(agent, { agentName: '' })).toThrow('The telemetry option "agentName" must be')
  })
})
