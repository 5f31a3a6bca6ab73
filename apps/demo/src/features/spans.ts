/** The spans of a traced run, printed as a tree. */
import { type Context, type Span, type SpanOptions, TraceFlags, type Tracer, trace } from '@opentelemetry/api'
import { withTelemetry } from '@x/otel'
import { openDemoAgent } from '../agent/demo-agent.ts'
import { DEFAULT_USER } from '../agent/session.ts'
import { loadDomain } from '../domains/load-domain.ts'
import { IN_MEMORY } from '../sql/place.ts'
import { type Feature, printer } from './feature.ts'

const REQUEST = 'Find laptops under 1000 dollars and add the cheapest one to my cart'

export const spansFeature: Feature = {
  name: 'spans',
  title: 'Trace a run with OpenTelemetry',
  packages: '@x/otel',
  async play(stage) {
    const { lm, entries, signal, findings } = stage
    const show = printer(stage)
    const entry = entries.find(({ name }) => name === 'ecommerce')
    if (entry === undefined) return
    const place = { kind: 'sqlite', file: IN_MEMORY } as const
    const { agent, close } = await openDemoAgent({ name: 'shop', lm, domains: [await loadDomain(entry)], place })
    const { tracer, spans } = createTreeTracer()
    try {
      const traced = withTelemetry(agent, { tracer })
      await traced.run({ request: REQUEST }, { signal, context: { user_id: DEFAULT_USER }, approve: () => true })
    } finally {
      await close()
    }
    show('request', REQUEST)
    show('spans', spans.map(({ name, depth, ms }) => `${'  '.repeat(depth)}${name} (${Math.round(ms)} ms)`).join('\n'))
    findings.expect('the span of the run', spans[0]?.name, 'invoke_agent shop')
    findings.expect(
      'a span of a call below it',
      spans.some(({ name, depth }) => name === 'execute_tool add_to_cart' && depth === 1),
      true,
    )
  },
}

interface TreeSpan {
  name: string
  readonly depth: number
  ms: number
}

/** Creates a tracer that keeps spans in the order in which they started. An application would use an SDK instead. */
function createTreeTracer(): { readonly tracer: Tracer; readonly spans: readonly TreeSpan[] } {
  const spans: TreeSpan[] = []
  const depths = new Map<string, number>()
  const startSpan = (name: string, _: SpanOptions | undefined, context: Context | undefined): Span => {
    const parent = context === undefined ? undefined : trace.getSpan(context)?.spanContext().spanId
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? 0) + 1
    const spanId = (depths.size + 1).toString(16).padStart(16, '0')
    depths.set(spanId, depth)
    const kept: TreeSpan = { name, depth, ms: 0 }
    spans.push(kept)
    const started = performance.now()
    const span: Span = {
      spanContext: () => ({ traceId: '1'.padStart(32, '0'), spanId, traceFlags: TraceFlags.SAMPLED }),
      setAttribute: () => span,
      setAttributes: () => span,
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      setStatus: () => span,
      updateName(other) {
        kept.name = other
        return span
      },
      end() {
        kept.ms = performance.now() - started
      },
      isRecording: () => true,
      recordException() {},
    }
    return span
  }
  const tracer: Tracer = {
    startSpan: (name, options, context) => startSpan(name, options, context),
    startActiveSpan: () => {
      throw new Error('This tracer only starts spans with startSpan.')
    },
  }
  return { tracer, spans }
}
