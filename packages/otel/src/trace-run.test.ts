import { context, diag, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { type LMResponse, textAdapter } from '@x/adapters'
import { hermes } from '@x/adapters/dialects'
import { LMError } from '@x/lm'
import { type ScriptedReply, scriptedLM } from '@x/lm/testing'
import { AgentError, createReactAgent, type ReactAgentOptions, type Run } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { answer, call, collectTelemetry, getWeather, treeOf } from './test-telemetry.ts'
import { traceRun } from './trace-run.ts'

type AgentOptions = Partial<ReactAgentOptions<typeof answer>>

const agentOf = (script: readonly ScriptedReply[], options: AgentOptions = {}) =>
  createReactAgent({ lm: scriptedLM(script), tools: [getWeather], signature: answer, name: 'guide', ...options })

const WEATHER: readonly Partial<LMResponse>[] = [
  { toolCalls: [call('get_weather', { city: 'Oslo' }, 'c1')], finish: 'tool-calls', usage: { inputTokens: 10, outputTokens: 4 } },
  { text: 'It is 21.', finish: 'stop', usage: { inputTokens: 20, outputTokens: 6, cacheReadTokens: 8 } },
]

const failureOf = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  )

async function lastOf(events: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown
  for await (const event of events) last = event
  return last
}

describe('traceRun', () => {
  it('makes a span of the run, and under it one of each model request and of each call', async () => {
    const { tracer, meter, spans } = collectTelemetry()
    await traceRun((await agentOf(WEATHER)).run({ question: '?' }), { tracer, meter, model: 'small' })
    expect(treeOf(spans())).toEqual([
      'invoke_agent guide > chat small',
      'invoke_agent guide > execute_tool get_weather',
      'invoke_agent guide > chat small',
      'invoke_agent guide',
    ])
  })

  it('puts the span of the run under the one that is active', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const agent = await agentOf(WEATHER)
    await tracer.startActiveSpan('request', async (request) => {
      await traceRun(agent.run({ question: '?' }), { tracer, meter })
      request.end()
    })
    expect(span('invoke_agent guide').parentSpanContext?.spanId).toBe(span('request').spanContext().spanId)
  })

  it('says what the conventions ask, of the run', async () => {
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

  it('says what the conventions ask, of a model request and of a call', async () => {
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

  it('tells when the first piece of a stream came', async () => {
    const { tracer, meter, span, points } = collectTelemetry()
    await traceRun((await agentOf([{ text: 'Hello there.' }], { stream: true })).run({ question: '?' }), { tracer, meter })
    const { attributes } = span('chat')
    expect(attributes['gen_ai.request.stream']).toBe(true)
    const [point] = await points('gen_ai.client.operation.time_to_first_chunk')
    expect(point).toMatchObject({ count: 1, sum: attributes['gen_ai.response.time_to_first_chunk'] })
  })

  it('gives the result and the events of the run, and its spans have ended by then', async () => {
    const { tracer, meter, spans } = collectTelemetry()
    const run = traceRun((await agentOf(WEATHER)).run({ question: '?' }), { tracer, meter })
    const types: string[] = []
    for await (const { type } of run.stream()) types.push(type)
    expect([types[0], types.at(-1)]).toEqual(['run_started', 'finished'])
    expect((await run).outputs).toEqual({ answer: 'It is 21.' })
    expect(spans().map(({ ended }) => ended)).toEqual([true, true, true, true])
  })

  it('has ended its spans when a run that failed settles', async () => {
    const { tracer, meter, spans } = collectTelemetry()
    const agent = await agentOf([new Error('down')])
    const open: number[] = []
    await traceRun(agent.run({ question: '?' }), { tracer, meter }).catch(() => open.push(spans().length))
    expect(open).toEqual([2])
  })

  it('holds nobody up: a thousand pieces and more come through', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const text = 'a '.repeat(5000)
    const { outputs } = await traceRun((await agentOf([{ text }], { stream: true })).run({ question: '?' }), { tracer, meter })
    expect(outputs.answer).toBe(text.trim())
    expect(span('chat').ended).toBe(true)
  })

  it('takes the name that it is told in the place of the agent’s', async () => {
    const { tracer, meter, span } = collectTelemetry()
    await traceRun((await agentOf([{ text: 'Hi.' }])).run({ question: '?' }), { tracer, meter, agentName: 'desk' })
    expect(span('invoke_agent desk').attributes['gen_ai.agent.name']).toBe('desk')
  })

  it('writes no name of a tool that the model made up', async () => {
    const { tracer, meter, spans, exported } = collectTelemetry()
    const script = [{ toolCalls: [call('MARKER_tool', {}, 'MARKER id')] }, { text: 'No.' }]
    await traceRun((await agentOf(script)).run({ question: '?' }), { tracer, meter })
    expect(spans().map(({ name }) => name)).toContain('execute_tool _OTHER')
    expect(await exported()).not.toContain('MARKER')
  })

  it('knows the tools of an agent in text mode by their names', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const script = [
      { text: '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>' },
      { text: '<tool_call>\n{"name": "finish", "arguments": {}}\n</tool_call>' },
      { text: '[[ ## answer ## ]]\n21' },
    ]
    await traceRun((await agentOf(script, { adapter: textAdapter(hermes) })).run({ question: '?' }), { tracer, meter })
    expect(span('execute_tool get_weather').status.code).toBe(SpanStatusCode.UNSET)
  })

  it('refuses what is no run, and options that are wrong', async () => {
    const run = (await agentOf([{ text: 'Hi.' }])).run({ question: '?' })
    expect(() => traceRun(Promise.resolve() as never)).toThrow('traceRun takes a run')
    expect(() => traceRun(run, { model: '' })).toThrow('The telemetry option "model" must be')
    expect(() => traceRun(run, { redact: 'all' as never })).toThrow('"redact"')
    expect(() => traceRun(run, { maxContentLength: 0 })).toThrow('"maxContentLength"')
    expect(() => traceRun(run, { content: 'yes' as never })).toThrow('"content"')
    await run
  })
})

describe('what fails', () => {
  it('is an error of the run and of the request, by code and status', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const agent = await agentOf([new LMError('http_error', 'MARKER', { status: 429 })])
    const error = await failureOf(traceRun(agent.run({ question: '?' }), { tracer, meter }))
    expect(error).toBeInstanceOf(AgentError)
    expect(span('chat').status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span('chat').attributes['error.type']).toBe('429')
    expect(span('invoke_agent guide').status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span('invoke_agent guide').attributes['error.type']).toBe('model_failed')
  })

  it('is an error of the call where a tool failed, and none of the run', async () => {
    const { tracer, meter, span, points } = collectTelemetry()
    const broken = defineTool({
      name: 'broken',
      description: 'Fails.',
      args: Type.Object({}),
      execute: () => {
        throw new Error('MARKER')
      },
    })
    const agent = await agentOf([{ toolCalls: [call('broken')] }, { text: 'No.' }], { tools: [broken] })
    await traceRun(agent.run({ question: '?' }), { tracer, meter })
    expect(span('execute_tool broken').attributes['error.type']).toBe('tool_error')
    expect(span('invoke_agent guide').status.code).toBe(SpanStatusCode.UNSET)
    expect((await points('gen_ai.execute_tool.duration'))[0]?.attributes['error.type']).toBe('tool_error')
  })

  it('is an error also before a run has begun', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const agent = await agentOf([])
    await agent.close()
    await failureOf(traceRun(agent.run({ question: '?' }), { tracer, meter, agentName: 'guide' }))
    expect(span('invoke_agent guide').attributes['error.type']).toBe('closed')
  })

  it('is an error where the caller gave up, of all that was open', async () => {
    const { tracer, meter, spans, span } = collectTelemetry()
    const controller = new AbortController()
    const slow = defineTool({
      name: 'slow',
      description: 'Waits.',
      args: Type.Object({}),
      execute: (_, { signal }) => {
        controller.abort()
        return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    const agent = await agentOf([{ toolCalls: [call('slow')] }], { tools: [slow] })
    await failureOf(traceRun(agent.run({ question: '?' }, { signal: controller.signal }), { tracer, meter }))
    expect(span('invoke_agent guide').attributes['error.type']).toBe('aborted')
    expect(span('execute_tool slow').status.code).toBe(SpanStatusCode.ERROR)
    expect(spans()).toHaveLength(3)
  })

  it('is an error of a request that was given up', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const controller = new AbortController()
    const lm = {
      generate: () => {
        controller.abort()
        return new Promise<never>(() => undefined)
      },
    }
    const agent = await agentOf([], { lm })
    await failureOf(traceRun(agent.run({ question: '?' }, { signal: controller.signal }), { tracer, meter }))
    expect(span('chat').attributes['error.type']).toBe('aborted')
  })

  it('is an error of the request that was too long, which is sent again', async () => {
    const { tracer, meter, spans } = collectTelemetry()
    const tooLong = new LMError('http_error', 'too long', { status: 400, providerCode: 'context_length_exceeded' })
    const script = [
      ...WEATHER.slice(0, 1),
      { toolCalls: [call('get_weather', { city: 'Rome' }, 'c2')] },
      tooLong,
      { text: 'Hi.' },
    ]
    const agent = await agentOf(script)
    await traceRun(agent.run({ question: '?' }), { tracer, meter })
    const chats = spans().filter(({ name }) => name === 'chat')
    expect(chats.map(({ attributes }) => attributes['error.type'])).toEqual([undefined, undefined, 'context_overflow', undefined])
  })

  it.each([
    ['nobody waits for the run', () => undefined],
    ['only the run that was handed over is waited for', ({ run }) => failureOf(run)],
    [
      'only the events are read',
      ({ traced }) =>
        failureOf(
          traced
            .stream()
            .next()
            .then(() => lastOf(traced.stream())),
        ),
    ],
  ] satisfies [string, (runs: { run: Run<unknown, unknown>; traced: Run<unknown, unknown> }) => unknown][])(
    'leaves no rejection unhandled when %s',
    async (_, watch) => {
      const { tracer, meter, span } = collectTelemetry()
      const unhandled: unknown[] = []
      const note = (reason: unknown) => unhandled.push(reason)
      process.on('unhandledRejection', note)
      const run = (await agentOf([new Error('down')])).run({ question: '?' })
      await watch({ run, traced: traceRun(run, { tracer, meter }) })
      await new Promise((resolve) => setTimeout(resolve, 5))
      process.off('unhandledRejection', note)
      expect(unhandled).toEqual([])
      expect(span('invoke_agent guide').status.code).toBe(SpanStatusCode.ERROR)
    },
  )

  it('in a tracer or a meter does not reach the run', async () => {
    const broken = new Proxy(
      {},
      {
        get: () => () => {
          throw new Error('broken')
        },
      },
    )
    const tracer = { startSpan: () => broken as Span } as unknown as Tracer
    const run = (await agentOf(WEATHER)).run({ question: '?' })
    expect((await traceRun(run, { tracer, meter: broken as never })).outputs).toEqual({ answer: 'It is 21.' })
    const other = (await agentOf(WEATHER)).run({ question: '?' })
    expect((await traceRun(other, { tracer: broken as never, meter: broken as never })).steps).toBe(2)
  })

  it('in a tracer is told to the log of OpenTelemetry, without the words of the error', async () => {
    const told: unknown[] = []
    const note = (...words: unknown[]) => void told.push(...words)
    diag.setLogger({ error: note, warn: note, info: note, debug: note, verbose: note }, { suppressOverrideMessage: true })
    const tracer = {
      startSpan: () => {
        throw new RangeError('MARKER')
      },
    } as unknown as Tracer
    await traceRun((await agentOf([{ text: 'Hi.' }])).run({ question: '?' }), { tracer })
    diag.disable()
    expect(told).toEqual(Array(2).fill('@x/otel: starting a span failed (RangeError).'))
  })

  it('says nothing to a program without an SDK', async () => {
    expect((await traceRun((await agentOf(WEATHER)).run({ question: '?' }))).steps).toBe(2)
    expect(trace.getSpan(context.active())).toBeUndefined()
  })
})
