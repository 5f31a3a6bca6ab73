/** Validates the options for telemetry and fills in their defaults. */
import { type Attributes, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api'
import { redactSecrets } from '@x/adapters/redact'
import { Content, MAX_CONTENT_LENGTH } from './content/content.ts'
import { type Instruments, instrumentsOf } from './metrics/instruments.ts'

/** Options for spans and metrics of model requests. */
export interface ModelTelemetryOptions {
  /** Tracer for the spans. Default: the tracer `@x/otel` of the global provider. */
  tracer?: Tracer | undefined
  /** Meter for the metrics. Default: the meter `@x/otel` of the global provider. */
  meter?: Meter | undefined
  /** Name of the provider in OpenTelemetry's GenAI conventions, such as `openai` or `aws.bedrock`. Default: not reported. */
  provider?: string | undefined
  /** Name of the requested model. Default: not reported. */
  model?: string | undefined
  /** Your application's id of the conversation to which the requests belong. */
  conversationId?: string | undefined
  /** Whether to export messages, arguments and results. Secrets are removed with `redact` first. Default: false. */
  content?: boolean | undefined
  /** Removes secrets from a string before it is exported. If it throws, the string is left out. Default: `redactSecrets`. */
  redact?: ((text: string) => string) | undefined
  /** Maximum number of characters of content in one attribute. Default: 8,192. */
  maxContentLength?: number | undefined
}

export interface TelemetryOptions extends ModelTelemetryOptions {
  /** Name of the agent. Default: the name that the run reports. */
  agentName?: string | undefined
}

/** The validated options, with the tracer and the instruments. */
export interface Telemetry {
  readonly tracer: Tracer
  readonly instruments: Instruments
  /** Attributes of every model request: the provider's name and the model's name. */
  readonly asked: Attributes
  readonly conversation: Attributes
  /** Converts content to attributes. Undefined if content must not be exported. */
  readonly content: Content | undefined
}

/** Reads the options. Throws `TypeError` for an invalid one. */
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
  if (typeof content !== 'boolean') throw wrong('content', 'true or false', content)
  if (typeof redact !== 'function') throw wrong('redact', 'a function that takes and returns a string', redact)
  if (!Number.isSafeInteger(maxContentLength) || maxContentLength < 1)
    throw wrong('maxContentLength', 'an integer of at least 1', maxContentLength)
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
  if (value !== undefined && (typeof value !== 'string' || value === '')) throw wrong(name, 'a non-empty string', value)
}

function wrong(name: string, wanted: string, got: unknown): TypeError {
  return new TypeError(`The telemetry option "${name}" must be ${wanted}, got ${shown(got)}.`)
}

function shown(value: unknown): string {
  if (value === '') return 'an empty string'
  return value === null || typeof value === 'number' ? String(value) : `a value of type ${typeof value}`
}
