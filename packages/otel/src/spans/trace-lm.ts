/** Traces the requests to a model. */
import { context } from '@opentelemetry/api'
import { DeltaCollector, type LM, type LMDelta, type LMOptions, type LMRequest } from '@x/adapters'
import { errorTypeOf, guarded } from '../guarded.ts'
import { type ModelTelemetryOptions, type Telemetry, toTelemetry } from '../options.ts'
import { Chat } from './chat.ts'
import { createClock } from './operation.ts'

/**
 * Returns a model that records a `chat` span and metrics for each request. The span's parent is the active span. The `chat` span
 * is active during the request. Don't use this model in a traced run, because each request would be recorded twice. Throws
 * `TypeError` for an invalid option.
 */
export function traceLM(lm: Required<LM>, options?: ModelTelemetryOptions): Required<LM>
export function traceLM(lm: LM, options?: ModelTelemetryOptions): LM
export function traceLM(lm: LM, options: ModelTelemetryOptions = {}): LM {
  // Validates the options now. Telemetry itself is created for each request, because a meter may be registered later.
  toTelemetry(options)
  return {
    generate: (request, lmOptions) => generate(toTelemetry(options), lm, request, lmOptions),
    ...(lm.stream !== undefined && {
      stream: (request: LMRequest, lmOptions?: LMOptions) => stream(toTelemetry(options), lm as Required<LM>, request, lmOptions),
    }),
  }
}

async function generate(telemetry: Telemetry, lm: LM, request: LMRequest, options: LMOptions | undefined) {
  const chat = open(telemetry, request)
  try {
    const response = await context.with(chat.context, () => lm.generate(request, options))
    chat.end(response)
    return response
  } catch (error) {
    chat.end(undefined, errorTypeOf(error))
    throw error
  }
}

/**
 * Streams a request, which is sent when the first chunk is read. Its span's parent is the span that was active when `stream` was
 * called.
 */
function stream(telemetry: Telemetry, lm: Required<LM>, request: LMRequest, options: LMOptions | undefined) {
  const parent = context.active()
  return (async function* () {
    const chat = context.with(parent, () => open(telemetry, request))
    const collector = new DeltaCollector()
    let errorType: string | undefined
    try {
      for await (const delta of within(chat, () => lm.stream(request, options))) {
        chat.noteChunk()
        guarded('reading a delta', () => collector.push(delta))
        yield delta
      }
    } catch (error) {
      errorType = errorTypeOf(error)
      throw error
    } finally {
      // This also runs if the consumer stops reading early.
      chat.end(
        guarded('reading a stream', () => collector.response()),
        errorType,
      )
    }
  })()
}

function open(telemetry: Telemetry, request: LMRequest): Chat {
  return new Chat(telemetry, request, { parent: context.active(), clock: createClock() })
}

/**
 * Reads the model's stream while the chat span is active. Otherwise, the model's generator would run in the context of its
 * consumer.
 */
async function* within(chat: Chat, start: () => AsyncIterable<LMDelta>): AsyncGenerator<LMDelta> {
  const deltas = context.with(chat.context, () => start()[Symbol.asyncIterator]())
  let isOver = false
  try {
    for (;;) {
      const next = await context.with(chat.context, () => deltas.next())
      isOver = next.done === true
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    isOver = true
    throw error
  } finally {
    if (!isOver) await deltas.return?.()
  }
}
