/** A model of which every request is traced. */
import { context } from '@opentelemetry/api'
import { DeltaCollector, type LM, type LMDelta, type LMOptions, type LMRequest } from '@x/adapters'
import { type ModelTelemetryOptions, type Telemetry, toTelemetry } from '../options.ts'
import { Chat } from './chat.ts'
import { errorTypeOf, guarded } from './guarded.ts'
import { createClock } from './operation.ts'

/**
 * The same model, with a `chat` span and its metrics for each request, under the span that is active when it is asked; the span is
 * the active one within the request. For models outside of traced runs: in one, each request would be told twice. Throws `TypeError`
 * for a wrong option.
 */
export function traceLM(lm: Required<LM>, options?: ModelTelemetryOptions): Required<LM>
export function traceLM(lm: LM, options?: ModelTelemetryOptions): LM
export function traceLM(lm: LM, options: ModelTelemetryOptions = {}): LM {
  // Here for its errors; at each request it finds the meter that is registered by then.
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

/** Asks when the first piece is wanted, as any stream; the span has the parent that was active when the stream was made. */
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
      // Also when the reader leaves before the end.
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

/** A generator runs in the context of whoever asks it for the next piece. */
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
