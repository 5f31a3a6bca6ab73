/** The metrics of OpenTelemetry's GenAI conventions, with their units and recommended buckets. */
import type { Attributes, Context, Histogram, Meter } from '@opentelemetry/api'
import { guarded } from '../guarded.ts'

/** The instruments of a meter. Durations are in seconds. */
export interface Instruments {
  readonly chatDuration: Recorder
  readonly timeToFirstChunk: Recorder
  readonly tokens: Recorder
  readonly agentDuration: Recorder
  readonly toolDuration: Recorder
}

export type Recorder = (value: number, attributes: Attributes, context: Context) => void

/** Returns the instruments of a meter. Creates them on the first call. */
export function instrumentsOf(meter: Meter): Instruments {
  const known = MADE.get(meter)
  if (known !== undefined) return known
  const seconds = (name: string, description: string, boundaries: number[]) =>
    recorder(name, () =>
      meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: boundaries } }),
    )
  const made: Instruments = {
    chatDuration: seconds('gen_ai.client.operation.duration', 'GenAI operation duration.', SECONDS),
    timeToFirstChunk: seconds(
      'gen_ai.client.operation.time_to_first_chunk',
      'Time from the request to the first chunk of a streamed response.',
      SECONDS,
    ),
    tokens: recorder('gen_ai.client.token.usage', () =>
      meter.createHistogram('gen_ai.client.token.usage', {
        description: 'Number of input and output tokens used.',
        unit: '{token}',
        advice: { explicitBucketBoundaries: TOKENS },
      }),
    ),
    agentDuration: seconds('gen_ai.invoke_agent.duration', 'Duration of an agent run.', RUN_SECONDS),
    toolDuration: seconds('gen_ai.execute_tool.duration', 'Duration of a tool call.', SECONDS),
  }
  MADE.set(meter, made)
  return made
}

const MADE = new WeakMap<Meter, Instruments>()

/**
 * Bucket boundaries for durations, from https://github.com/open-telemetry/semantic-conventions-genai,
 * docs/gen-ai/gen-ai-metrics.md
 */
const SECONDS = Array.from({ length: 14 }, (_, power) => 2 ** power / 100)
const RUN_SECONDS = Array.from({ length: 13 }, (_, power) => 2 ** power / 10)
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power)

function recorder(name: string, create: () => Histogram): Recorder {
  const histogram = guarded(`creating the metric "${name}"`, create)
  return (value, attributes, context) =>
    void guarded(`recording the metric "${name}"`, () => histogram?.record(value, attributes, context))
}
