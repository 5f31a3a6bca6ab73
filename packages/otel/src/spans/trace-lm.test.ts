import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { LM, LMDelta, LMRequest } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { describe, expect, it } from 'vitest'
import { collectTelemetry, modelError } from '../../test/telemetry.ts'
import { traceLM } from './trace-lm.ts'

const request: LMRequest = { messages: [{ role: 'user', content: 'MARKER' }], responseFormat: { type: 'json' } }

async function deltasOf(deltas: AsyncIterable<LMDelta>): Promise<readonly LMDelta[]> {
  const read: LMDelta[] = []
  for await (const delta of deltas) read.push(delta)
  return read
}

describe('traceLM', () => {
  it('records a span and metrics of a request, without content', async () => {
    const { tracer, meter, span, points, exported } = collectTelemetry()
    const lm = traceLM(scriptedLM([{ text: 'MARKER', finishReason: 'stop', usage: { inputTokens: 3, outputTokens: 2 } }]), {
      ...{ tracer, meter, provider: 'openai', model: 'small' },
    })
    expect((await lm.generate(request)).text).toBe('MARKER')
    expect(span('chat small').kind).toBe(SpanKind.CLIENT)
    expect(span('chat small').attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'small',
      'gen_ai.output.type': 'json',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 3,
      'gen_ai.usage.output_tokens': 2,
    })
    expect((await points('gen_ai.client.operation.duration'))[0]?.count).toBe(1)
    expect(await exported()).not.toContain('MARKER')
  })

  it('passes deltas of a stream through, and records when the first arrived', async () => {
    const { tracer, meter, span, points } = collectTelemetry()
    const script = [{ text: 'Hello there.', finishReason: 'stop' as const, usage: { outputTokens: 2 } }]
    const read = await deltasOf(traceLM(scriptedLM(script), { tracer, meter, content: true }).stream(request))
    expect(read).toEqual(await deltasOf(scriptedLM(script).stream(request)))
    const { attributes } = span('chat')
    expect(attributes).toMatchObject({ 'gen_ai.request.stream': true, 'gen_ai.usage.output_tokens': 2 })
    expect(String(attributes['gen_ai.output.messages'])).toContain('Hello there.')
    expect((await points('gen_ai.client.operation.time_to_first_chunk'))[0]).toMatchObject({
      count: 1,
      sum: attributes['gen_ai.response.time_to_first_chunk'],
    })
  })

  it('ends its span and the stream if the reader stops early', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const closed: string[] = []
    const lm: LM = {
      generate: () => Promise.reject(new Error('unused')),
      async *stream() {
        try {
          yield { type: 'text', text: 'a' }
          yield { type: 'text', text: 'b' }
        } finally {
          closed.push('closed')
        }
      },
    }
    for await (const _ of (traceLM(lm, { tracer, meter }) as Required<LM>).stream(request)) break
    expect(closed).toEqual(['closed'])
    expect(span('chat').status.code).toBe(SpanStatusCode.UNSET)
  })

  it.each([
    ['a status', modelError('http_error', 'MARKER', { status: 503 }), '503'],
    ['a code', modelError('timeout', 'MARKER'), 'timeout'],
    ['a name', new RangeError('MARKER'), 'RangeError'],
    ['_OTHER without an identifier', Object.assign(new Error('MARKER'), { name: 'MARKER !', code: 'MARKER ?' }), '_OTHER'],
  ])('throws the error of the model, and reports it by %s', async (_, error, type) => {
    const { tracer, meter, spans, points, exported } = collectTelemetry()
    const lm = traceLM(scriptedLM([error, error]), { tracer, meter })
    await expect(lm.generate(request)).rejects.toBe(error)
    await expect(deltasOf(lm.stream(request))).rejects.toBe(error)
    expect(spans().map(({ status, attributes }) => [status, attributes['error.type']])).toEqual([
      [{ code: SpanStatusCode.ERROR }, type],
      [{ code: SpanStatusCode.ERROR }, type],
    ])
    expect((await points('gen_ai.client.operation.duration'))[0]?.attributes['error.type']).toBe(type)
    expect(await exported()).not.toContain('MARKER')
  })

  it('reports an error in a response', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const error = { message: 'MARKER', code: 'overloaded_error' }
    await traceLM(scriptedLM([{ error }]), { tracer, meter }).generate(request)
    expect(span('chat').attributes['error.type']).toBe('overloaded_error')
  })

  it('makes its span active during the request, streamed or not', async () => {
    const { tracer, meter, spans } = collectTelemetry()
    const seen: (string | undefined)[] = []
    const note = () => seen.push(trace.getActiveSpan()?.spanContext().spanId)
    const lm: Required<LM> = {
      generate: async () => {
        note()
        return { text: '', toolCalls: [] }
      },
      async *stream() {
        note()
        yield { type: 'text', text: 'a' }
        note()
      },
    }
    const traced = traceLM(lm, { tracer, meter })
    await traced.generate(request)
    for await (const _ of traced.stream(request)) expect(trace.getActiveSpan()).toBeUndefined()
    const [first, second] = spans().map((span) => span.spanContext().spanId)
    expect(seen).toEqual([first, second, second])
  })

  it('returns a malformed response unchanged', async () => {
    const { tracer, meter, span } = collectTelemetry()
    const odd = { usage: null, toolCalls: 7, text: null } as never
    const lm = traceLM({ generate: async () => odd }, { tracer, meter, content: true })
    expect(await lm.generate({ messages: null, settings: null } as never)).toBe(odd)
    expect(span('chat').ended).toBe(true)
  })

  it('has a stream only if the model has one', () => {
    expect(traceLM({ generate: () => Promise.reject(new Error('unused')) }).stream).toBeUndefined()
  })
})
