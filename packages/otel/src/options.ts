/** What whoever traces may choose, checked and with its defaults filled in. */
import { type Attributes, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api'
import { Content, MAX_CONTENT_LENGTH } from './content/content.ts'
import { redactSecrets } from './content/redact.ts'
import { type Instruments, instrumentsOf } from './metrics/instruments.ts'

/** What goes into every span and metric of a model request, and what of it may be told. */
export interface ModelTelemetryOptions {
  /** The one of the global provider, named `@x/otel`, unless told. */
  tracer?: Tracer | undefined
  /** As `tracer`. */
  meter?: Meter | undefined
  /** Who serves the model, as the conventions name it: `openai`, `anthropic`, `aws.bedrock`. Left out unless told. */
  provider?: string | undefined
  /** The name of the model that is asked. Left out unless told. */
  model?: string | undefined
  /** Which conversation the requests belong to, as your application names it. */
  conversationId?: string | undefined
  /** Messages, arguments and results become attributes, without the secrets that `redact` finds; false unless told. */
  content?: boolean | undefined
  /** Takes secrets out of a text that is to be exported; `redactSecrets` unless told. Where it throws, nothing of the text is exported. */
  redact?: ((text: string) => string) | undefined
  /** Characters of content in one attribute; 8,192 unless told. */
  maxContentLength?: number | undefined
}

export interface TelemetryOptions extends ModelTelemetryOptions {
  /** The name that the run reports unless told. */
  agentName?: string | undefined
}

/** What spans and metrics are made with. */
export interface Telemetry {
  readonly tracer: Tracer
  readonly instruments: Instruments
  /** Who is asked: of every model request. */
  readonly asked: Attributes
  readonly conversation: Attributes
  /** Undefined when no content may be told. */
  readonly content: Content | undefined
}

/** Throws `TypeError` for an option that is wrong. */
export function toTelemetry(options: ModelTelemetryOptions): Telemetry {
  const {
    provider,
    model,
    conversationId,
    content = false,
    redact = redactSecrets,
    maxContentLength = MAX_CONTENT_LENGTH,
  } = options
  for (const name of ['provider', 'model', 'conversationId', 'agentName'] as const) assertText(options, name)
  if (typeof content !== 'boolean') throw wrong('content', 'true or false')
  if (typeof redact !== 'function') throw wrong('redact', 'a function from a text to a text')
  if (!Number.isSafeInteger(maxContentLength) || maxContentLength < 1)
    throw wrong('maxContentLength', 'a whole number of at least 1')
  return {
    tracer: options.tracer ?? trace.getTracer(SCOPE),
    instruments: instrumentsOf(options.meter ?? metrics.getMeter(SCOPE)),
    asked: {
      ...(provider !== undefined && { 'gen_ai.provider.name': provider }),
      ...(model !== undefined && { 'gen_ai.request.model': model }),
    },
    conversation: conversationId === undefined ? {} : { 'gen_ai.conversation.id': conversationId },
    content: content ? new Content(redact, maxContentLength) : undefined,
  }
}

const SCOPE = '@x/otel'

function assertText(options: TelemetryOptions, name: 'provider' | 'model' | 'conversationId' | 'agentName'): void {
  const value: unknown = options[name]
  if (value !== undefined && (typeof value !== 'string' || value === '')) throw wrong(name, 'a text that is not empty')
}

function wrong(name: string, wanted: string): TypeError {
  return new TypeError(`The telemetry option "${name}" must be ${wanted}.`)
}
