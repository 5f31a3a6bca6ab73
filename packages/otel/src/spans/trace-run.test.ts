import { ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { type AgentEvent, agentTool } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { agentOf, call, collectTelemetry, getWeather, treeOf, WEATHER } from '../../test/telemetry.ts'
import { toTelemetry } from '../options.ts'
import { RunSpans } from './run-spans.ts'
import { traceLM } from './trace-lm.ts'
import { traceRun } from './trace-run.ts'

/** From here on, only the test advances the clock. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

describe('traceRun', () => {
  it('records a span for the run, with child spans for each model request and call', async () => {
    const { tracer, meter, spans } = collectTelemetry()
    await traceRun((await agentOf(WEATHER)).run({ question: '?' }), { tracer, meter, model: 'small' })
    expect(treeOf(spans())).toEqual([
      'invoke_agent guide > chat small',
      'invoke_agent guide > execute_tool get_weather',
      'invoke_agent guide > chat small',
      'invoke_agent guide',
    ])
  })

  it('uses the active span as the parent of the run', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const agent = await agentOf(WEATHER)
    await tracer.startActiveSpan('request', async (request) => {
      await traceRun(agent.run({ question: '?' }), { tracer, meter })
      request.end()
    })
    expect(span('invoke_agent guide').parentSpanContext?.spanId).toBe(span('request').spanContext().spanId)
  })

  it('records the attributes of the conventions for a run', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const options = { tracer, meter, provider: 'openai', model: 'small', conversationId: 'c-7' }
    await traceRun((await agentOf(WEATHER)).run({ question: '?' }, { id: 'run-1' }), options)
    const { attributes, kind, status } = span('invoke_agent guide')
    expect({ kind, status }).toEqual({ kind: SpanKind.INTERNAL, status: { code: SpanStatusCode.UNSET } })
    expect(attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'guide',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'small',
      'gen_ai.conversation.id': 'c-7',
      'gen_ai.usage.input_tokens': 30,
      'gen_ai.usage.output_tokens': 10,
      'gen_ai.usage.cache_read.input_tokens': 8,
      'x.run.id': 'run-1',
      'x.run.steps': 2,
      'x.run.termination': 'finished',
    })
  })

  it('records the attributes of the conventions for a model request and a call', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const agent = await agentOf(WEATHER, { settings: { temperature: 0, maxOutputTokens: 50, seed: 7 } })
    await traceRun(agent.run({ question: '?' }), { tracer, meter })
    expect(span('chat').kind).toBe(SpanKind.CLIENT)
    expect(span('chat').attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.temperature': 0,
      'gen_ai.request.max_tokens': 50,
      'gen_ai.request.seed': 7,
      'gen_ai.response.finish_reasons': ['tool_call'],
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 4,
    })
    expect(span('execute_tool get_weather').kind).toBe(SpanKind.INTERNAL)
    expect(span('execute_tool get_weather').attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.agent.name': 'guide',
      'gen_ai.tool.name': 'get_weather',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'c1',
    })
  })

  it('records the time to the first chunk of a stream', async () => {
    const { tracer, meter, span, points } = collectTelemetry()
    await traceRun((await agentOf([{ text: 'Hello there.' }], { stream: true })).run({ question: '?' }), { tracer, meter })
    const { attributes } = span('chat')
    expect(attributes['gen_ai.request.stream']).toBe(true)
    const [point] = await points('gen_ai.client.operation.time_to_first_chunk')
    expect(point).toMatchObject({ count: 1, sum: attributes['gen_ai.response.time_to_first_chunk'] })
  })

  it('returns the result and the events of the run, after its spans have ended', async () => {
    const { tracer, meter, spans } = collectTelemetry()
    const run = traceRun((await agentOf(WEATHER)).run({ question: '?' }), { tracer, meter })
    const types: string[] = []
    for await (const { type } of run.stream()) types.push(type)
    expect([types[0], types.at(-1)]).toEqual(['run_started', 'finished'])
    expect((await run).outputs).toEqual({ answer: 'It is 21.' })
    expect(spans().map(({ ended }) => ended)).toEqual([true, true, true, true])
  })

  it('ends its spans before a failed run settles', async () => {
    const { tracer, meter, spans } = collectTelemetry()
    const agent = await agentOf([new Error('down')])
    const open: number[] = []
    await traceRun(agent.run({ question: '?' }), { tracer, meter }).catch(() => open.push(spans().length))
    expect(open).toEqual([2])
  })

  it('records when events occurred, even if the model delays its reader', async () => {
    stopClock()
    const { tracer, meter, span } = collectTelemetry()
    const generate = async () => {
      vi.advanceTimersByTime(30)
      return { text: 'Hi.', toolCalls: [] }
    }
    await traceRun((await agentOf([], { lm: { generate } })).run({ question: '?' }), { tracer, meter })
    expect(span('chat').duration).toEqual([0, 30_000_000])
  })

  it('uses the time of an event, and never goes back', () => {
    stopClock()
    const { tracer, meter, span } = collectTelemetry()
    const spans = new RunSpans(toTelemetry({ tracer, meter }), ROOT_CONTEXT, 'guide')
    const later = Date.now() + 60_000
    const found = { step: 1, request: { messages: [] } }
    spans.record({ type: 'model_started', ...found, at: later })
    spans.record({ type: 'model_finished', step: 1, response: { text: '', toolCalls: [] }, at: later + 2_500 })
    spans.record({ type: 'model_started', ...found, at: later - 1_000 })
    spans.end()
    expect(span('chat').duration).toEqual([2, 500_000_000])
    expect(span('invoke_agent guide').duration).toEqual([62, 500_000_000])
  })

  it('settles after the last event, even if a run settles before its stream ends', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const stream = async function* (): AsyncIterableIterator<AgentEvent<never>> {
      yield { type: 'run_started', runId: 'r', agent: 'early' }
      await new Promise((resolve) => setImmediate(resolve))
      yield { type: 'history_repaired', repairs: ['one'] }
    }
    await traceRun(Object.assign(Promise.resolve(1), { stream }), { tracer, meter })
    expect(span('invoke_agent early').events).toHaveLength(1)
  })

  it('does not slow down a run with more than a thousand chunks', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const text = 'a '.repeat(5000)
    const { outputs } = await traceRun((await agentOf([{ text }], { stream: true })).run({ question: '?' }), { tracer, meter })
    expect(outputs.answer).toBe(text.trim())
    expect(span('chat').ended).toBe(true)
  })

  it('uses the agentName option instead of the agent’s name', async () => {
    const { tracer, meter, span } = collectTelemetry()
    await traceRun((await agentOf([{ text: 'Hi.' }])).run({ question: '?' }), { tracer, meter, agentName: 'desk' })
    expect(span('invoke_agent desk').attributes['gen_ai.agent.name']).toBe('desk')
  })

  it('does not record tool names that the model made up', async () => {
    const { tracer, meter, spans, exported } = collectTelemetry()
    const script = [{ toolCalls: [call('MARKER_tool', {}, 'MARKER id')] }, { text: 'No.' }]
    await traceRun((await agentOf(script)).run({ question: '?' }), { tracer, meter })
    expect(spans().map(({ name }) => name)).toContain('execute_tool _OTHER')
    expect(await exported()).not.toContain('MARKER')
  })

  it.each(['sk-MARKERMARKERMARKERMARKER', 'ghp_MARKERMARKERMARKER', 'a.sk-MARKERMARKERMARKERMARKER', 'token:MARKER'])(
    'does not record %s as an id, a name or a code',
    (secret) => {
      const { tracer, meter, spans: ended } = collectTelemetry()
      const spans = new RunSpans(toTelemetry({ tracer, meter }), ROOT_CONTEXT, 'guide')
      const refused = { id: secret, name: secret, args: {} }
      spans.record({ type: 'model_started', step: 1, request: { messages: [] } })
      spans.record({
        type: 'model_finished',
        step: 1,
        response: { text: '', toolCalls: [], error: { code: secret, message: '' } },
      })
      spans.record({ type: 'call_started', step: 1, call: refused })
      spans.record({ type: 'call_refused', step: 1, call: refused, reason: 'repeated_call' })
      spans.record({ type: 'approval_decided', step: 1, callId: secret, name: secret, decision: 'approve' })
      spans.fail(Object.assign(new Error(secret), { name: secret, code: 'model_failed', cause: { providerCode: secret } }))
      const all = JSON.stringify(ended().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })))
      expect(all).toContain('x.call.refused')
      expect(all).not.toContain('MARKER')
    },
  )

  it('records neither a finish reason nor a count that a model made up', async () => {
    const { tracer, meter, span, exported } = collectTelemetry()
    const reply = { text: 'Hi.', toolCalls: [], finishReason: 'MARKER', usage: { inputTokens: 'MARKER', outputTokens: 2 } }
    await traceLM({ generate: async () => reply as never }, { tracer, meter }).generate({ messages: [] })
    expect(span('chat').attributes).toMatchObject({
      'gen_ai.response.finish_reasons': ['other'],
      'gen_ai.usage.output_tokens': 2,
    })
    expect(await exported()).not.toContain('MARKER')
  })

  it('records all names if a request offers no tools, because text mode puts them into the prompt', () => {
    const { tracer, meter, span } = collectTelemetry()
    const spans = new RunSpans(toTelemetry({ tracer, meter }), ROOT_CONTEXT, 'guide')
    spans.record({ type: 'model_started', step: 1, request: { messages: [] } })
    spans.record({ type: 'call_started', step: 1, call: { id: 'c1', name: 'get_weather', args: {} } })
    spans.record({ type: 'call_started', step: 1, call: { id: 'c2', name: 'not a name', args: {} } })
    spans.end()
    expect(span('execute_tool get_weather').ended).toBe(true)
    expect(span('execute_tool _OTHER').ended).toBe(true)
  })

  it('makes the span of a nested call a child of the call whose tool made it', () => {
    const { tracer, meter, span } = collectTelemetry()
    const spans = new RunSpans(toTelemetry({ tracer, meter }), ROOT_CONTEXT, 'guide')
    const finished = (callId: string, name: string) => {
      const observation = { callId, name, ok: true, text: '' }
      return { callId, name, ok: true, args: {}, output: '', tags: [], outputTags: [], observation } as const
    }
    spans.record({ type: 'call_started', step: 1, call: { id: 'c1', name: 'program', args: {} } })
    spans.record({ type: 'call_started', step: 1, parentCallId: 'c1', call: { id: 'c1.1', name: 'add', args: {} } })
    spans.record({ type: 'call_finished', step: 1, parentCallId: 'c1', ...finished('c1.1', 'add'), ms: 1 })
    spans.record({ type: 'call_finished', step: 1, ...finished('c1', 'program'), ms: 1 })
    spans.end()
    expect(span('execute_tool add').parentSpanContext?.spanId).toBe(span('execute_tool program').spanContext().spanId)
  })

  it('records the names of tools that only an inner agent has, but not those that its model made up', async () => {
    const { tracer, meter, spans, span, points, exported } = collectTelemetry()
    const script = [
      { toolCalls: [call('get_weather', { city: 'Oslo' }, 'w1'), call('MARKER_tool', {}, 'w2')] },
      { toolCalls: [call('book', {}, 'b1')] },
      { text: 'Sun.' },
    ]
    const book = defineTool({
      name: 'book',
      description: 'Books a trip.',
      args: Type.Object({}),
      needsApproval: true,
      execute: () => 'Booked.',
    })
    const inner = await agentOf(script, { name: 'helper', tools: [getWeather, book] })
    const ask = agentTool(inner, { name: 'ask', description: 'Asks.' })
    const outer = await agentOf([{ toolCalls: [call('ask', { question: '?' }, 'c1')] }, { text: 'Sun.' }], { tools: [ask] })
    await traceRun(outer.run({ question: '?' }, { approve: () => true }), { tracer, meter })
    const names = ['get_weather', '_OTHER', 'book', 'ask']
    expect(
      spans()
        .flatMap(({ attributes }) => attributes['gen_ai.tool.name'] ?? [])
        .sort(),
    ).toEqual([...names].sort())
    expect(span('execute_tool get_weather').attributes['gen_ai.tool.name']).toBe('get_weather')
    const measured = await points('gen_ai.execute_tool.duration')
    expect(measured.map(({ attributes }) => attributes['gen_ai.tool.name']).sort()).toEqual([...names].sort())
    expect(span('invoke_agent guide').events[0]?.attributes?.['gen_ai.tool.name']).toBe('book')
    expect(await exported()).not.toContain('MARKER')
  })

  it('does not record a made-up name if the engine fails at its call', async () => {
    const { tracer, spans, exported } = collectTelemetry()
    const agent = await agentOf([{ toolCalls: [call('MARKER_tool', {}, 'w1')] }])
    const steps = {
      run<T>(key: string, execute: () => Promise<T>): Promise<T> {
        const executed = execute()
        return key.startsWith('call-') ? executed.then(() => Promise.reject(new Error('No space left.'))) : executed
      },
    }
    await expect(traceRun(agent.run({ question: '?' }, { steps: steps as never }), { tracer })).rejects.toMatchObject({
      code: 'steps_failed',
    })
    expect(spans().map(({ name }) => name)).toContain('execute_tool _OTHER')
    expect(await exported()).not.toContain('MARKER')
  })

  it('refuses anything but a run, and refuses invalid options', async () => {
    const run = (await agentOf([{ text: 'Hi.' }])).run({ question: '?' })
    expect(() => traceRun(Promise.resolve() as never)).toThrow('traceRun requires a run')
    expect(() => traceRun(run, { model: '' })).toThrow('The telemetry option "model" must be')
    expect(() => traceRun(run, { redact: 'all' as never })).toThrow('"redact"')
    expect(() => traceRun(run, { maxContentLength: 0 })).toThrow('"maxContentLength"')
    expect(() => traceRun(run, { content: 'yes' as never })).toThrow('"content"')
    await run
  })
})
