import { context, diag, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import { AgentError, type Run } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { agentOf, call, collectTelemetry, modelError, WEATHER } from '../../test/telemetry.ts'
import { traceRun } from './trace-run.ts'

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

describe('a failure', () => {
  it('of a model is an error of the run and of the request, with code and status', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const agent = await agentOf([modelError('http_error', 'MARKER', { status: 429 })])
    const error = await failureOf(traceRun(agent.run({ question: '?' }), { tracer, meter }))
    expect(error).toBeInstanceOf(AgentError)
    expect(span('chat').status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span('chat').attributes['error.type']).toBe('429')
    expect(span('invoke_agent guide').status).toEqual({ code: SpanStatusCode.ERROR })
    expect(span('invoke_agent guide').attributes['error.type']).toBe('model_failed')
  })

  it('is reported with the provider’s code if no HTTP status is known', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const agent = await agentOf([modelError('provider_error', 'MARKER', { providerCode: 'overloaded_error' })])
    await failureOf(traceRun(agent.run({ question: '?' }), { tracer, meter }))
    expect(span('chat').attributes['error.type']).toBe('overloaded_error')
  })

  it('of a tool is an error of the call, but not of the run', async () => {
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
    expect(span('execute_tool broken').attributes['error.type']).toBe('execution_failed')
    expect(span('invoke_agent guide').status.code).toBe(SpanStatusCode.UNSET)
    expect((await points('gen_ai.execute_tool.duration'))[0]?.attributes['error.type']).toBe('execution_failed')
  })

  it('before the start of a run is an error too', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const agent = await agentOf([])
    await agent.close()
    await failureOf(traceRun(agent.run({ question: '?' }), { tracer, meter, agentName: 'guide' }))
    expect(span('invoke_agent guide').attributes['error.type']).toBe('closed')
  })

  it('by an abort is an error of everything that was open', async () => {
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

  it('by a timeout is an error of the request', async () => {
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

  it('of a request that was too long is an error of that request, which is sent again', async () => {
    const { tracer, meter, spans } = collectTelemetry()
    const tooLong = modelError('http_error', 'too long', { status: 400, providerCode: 'context_length_exceeded' })
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
    ['no caller awaits the run', () => undefined],
    ['only the original run is awaited', ({ run }) => failureOf(run)],
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
      // Node reports an unhandled rejection before the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
      process.off('unhandledRejection', note)
      expect(unhandled).toEqual([])
      expect(span('invoke_agent guide').status.code).toBe(SpanStatusCode.ERROR)
    },
  )

  it('of a tracer or a meter does not affect the run', async () => {
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

  it('of a tracer goes to the log of OpenTelemetry, without its message', async () => {
    const found: unknown[] = []
    const note = (...words: unknown[]) => void found.push(...words)
    diag.setLogger({ error: note, warn: note, info: note, debug: note, verbose: note }, { suppressOverrideMessage: true })
    const tracer = {
      startSpan: () => {
        throw new RangeError('MARKER')
      },
    } as unknown as Tracer
    await traceRun((await agentOf([{ text: 'Hi.' }])).run({ question: '?' }), { tracer })
    diag.disable()
    expect(found).toEqual(Array(2).fill('@x/otel: starting a span failed (RangeError).'))
  })

  it('is not logged in a program without an SDK', async () => {
    expect((await traceRun((await agentOf(WEATHER)).run({ question: '?' }))).steps).toBe(2)
    expect(trace.getSpan(context.active())).toBeUndefined()
  })
})
