/** The real SDK with in-memory exporters, for the tests of this package. */
import { type Attributes, context } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  type HistogramMetricData,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { defineSignature, type LMResponse } from '@x/adapters'
import { type ScriptedReply, scriptedLM } from '@x/lm/testing'
import { createReactAgent, type ReactAgentOptions } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

export function collectTelemetry() {
  const spanExporter = new InMemorySpanExporter()
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spanExporter)] })
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 1_000_000 })
  const meters = new MeterProvider({ readers: [reader] })
  const spans = () => spanExporter.getFinishedSpans()
  const metrics = async (): Promise<HistogramMetricData[]> => {
    metricExporter.reset()
    await meters.forceFlush()
    const [exported] = metricExporter.getMetrics()
    return (exported?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? []) as HistogramMetricData[]
  }
  return {
    tracer: tracers.getTracer('test'),
    meter: meters.getMeter('test'),
    spans,
    metrics,
    span: (name: string): ReadableSpan => {
      const found = spans().find((span) => span.name === name)
      if (found === undefined) throw new Error(`No span "${name}" among ${spans().map((span) => span.name)}.`)
      return found
    },
    /** Returns everything that was exported, as text. */
    exported: async () =>
      JSON.stringify([
        spans().map(({ name, attributes, events, status, links }) => ({ name, attributes, events, status, links })),
        await metrics(),
      ]),
    /** Returns the data points of a metric. */
    points: async (name: string): Promise<readonly { attributes: Attributes; count: number; sum: number | undefined }[]> =>
      ((await metrics()).find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []).map(({ attributes, value }) => ({
        attributes,
        count: value.count,
        sum: value.sum,
      })),
  }
}

/** Returns the names of spans, each with the name of its parent. */
export function treeOf(spans: readonly ReadableSpan[]): readonly string[] {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]))
  return spans.map(({ name, parentSpanContext: parent }) => (parent ? `${names.get(parent.spanId) ?? '?'} > ${name}` : name))
}

export const answer = defineSignature({
  instructions: 'Answer briefly.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})

export const getWeather = defineTool({
  name: 'get_weather',
  description: 'Current weather for a city.',
  args: Type.Object({ city: Type.String() }),
  execute: async ({ city }) => ({ city, degrees: 21 }),
})

export type AgentOptions = Partial<ReactAgentOptions<typeof answer>>

/** Creates an agent named `guide` that answers from a script. */
export const agentOf = (script: readonly ScriptedReply[], options: AgentOptions = {}) =>
  createReactAgent({ lm: scriptedLM(script), tools: [getWeather], signature: answer, name: 'guide', ...options })

export function call(name: string, args: object | string = {}, id = `id_${name}`) {
  return { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
}

/** A turn that calls `get_weather`, and a turn that answers. */
export const WEATHER: readonly Partial<LMResponse>[] = [
  {
    toolCalls: [call('get_weather', { city: 'Oslo' }, 'c1')],
    finishReason: 'tool-calls',
    usage: { inputTokens: 10, outputTokens: 4 },
  },
  { text: 'It is 21.', finishReason: 'stop', usage: { inputTokens: 20, outputTokens: 6, cacheReadTokens: 8 } },
]

/** Creates an error with the fields of an `LMError`. The class itself isn't used, because its types would slow down type checking. */
export function modelError(code: string, message: string, fields: { status?: number; providerCode?: string } = {}): Error {
  return Object.assign(new Error(message), { name: 'LMError', code, ...fields })
}
