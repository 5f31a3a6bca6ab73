/**
 * Keeps data that must be sent back to providers unchanged. Our metadata keeps the AI SDK providers' data under `ai-sdk`. The AI
 * SDK's metadata keeps our own data under `@x/lm`.
 */
import type { SharedV3ProviderMetadata } from '@ai-sdk/provider'
import type { AssistantMessage, Metadata, ProviderCall, RawToolCall } from '@x/adapters'
import { arrayAt, fieldAt, isObject, type Json, objectAt } from './read.ts'

/** The key of metadata that is sent back to an AI SDK provider. */
export const NAMESPACE = 'ai-sdk'

/** Data that is kept with a message, because its text, reasoning and calls aren't enough to rebuild the content and its order. */
export interface KeptMessage {
  /** The content parts as they are sent back, in the provider's order. A call is represented by its id. */
  readonly content?: readonly Json[] | undefined
  readonly sources?: readonly Json[] | undefined
  /** The provider's metadata for the whole reply. It isn't sent back. */
  readonly providerMetadata?: Json | undefined
}

export function keptContent({ metadata }: AssistantMessage): readonly Json[] {
  return arrayAt(metadata?.[NAMESPACE], 'content').filter(isObject)
}

/** Returns the provider options that must be sent back with a call. */
export function keptOptions({ metadata }: RawToolCall): Json {
  const providerOptions = objectAt(metadata?.[NAMESPACE], 'providerOptions')
  return providerOptions === undefined ? {} : { providerOptions }
}

/** Parts of our replies for which the AI SDK has no field. They are attached to the provider metadata of a part. */
export interface Carried {
  readonly metadata?: Metadata | undefined
  readonly providerCall?: ProviderCall | undefined
  /** A truncated call. Carried here instead of in a `tool-call` part, so that the AI SDK doesn't execute it. */
  readonly cutCall?: RawToolCall | undefined
  readonly malformedCall?: string | undefined
  /** True if the part's text is a refusal. */
  readonly refusal?: true | undefined
}

const MARK = '@x/lm'

/**
 * Models created by `toAISDK`. Our own metadata is read only from their replies, so that a provider can't forge another
 * provider's metadata.
 */
const ownModels = new WeakSet<object>()

export function ownModel<Model extends object>(model: Model): Model {
  ownModels.add(model)
  return model
}

export function isOwnModel(model: object): boolean {
  return ownModels.has(model)
}

/** Returns the part without our own data. */
export function unmarked(part: Json): Json {
  const { [MARK]: _mark, ...providerMetadata } = objectAt(part, 'providerMetadata') ?? {}
  return _mark === undefined ? part : { ...part, providerMetadata }
}

export function carry(carried: Carried): { providerMetadata: SharedV3ProviderMetadata } {
  return { providerMetadata: { [MARK]: carried } as unknown as SharedV3ProviderMetadata }
}

/** Splits a part's `providerMetadata` or `providerOptions` into our own data and the rest. Omits empty entries. */
export function splitMetadata(providerMetadata: unknown): {
  readonly carried?: Json | undefined
  readonly other?: Json | undefined
} {
  if (!isObject(providerMetadata)) return {}
  const other = Object.entries(providerMetadata).filter(([name, value]) => name !== MARK && isSaying(value))
  return { carried: objectAt(providerMetadata, MARK), ...(other.length > 0 && { other: Object.fromEntries(other) }) }
}

function isSaying(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length > 0 : value !== undefined && value !== null
}

/** Reads a truncated call that we attached. Returns undefined if there is none. */
export function readCutCall(carried: Json): RawToolCall | undefined {
  const call = objectAt(carried, 'cutCall')
  const isCall = ['id', 'name', 'arguments'].every((key) => typeof fieldAt(call, key) === 'string')
  return isCall ? ({ ...call, truncated: true } as unknown as RawToolCall) : undefined
}

export function readProviderCall(carried: Json): ProviderCall | undefined {
  const call = objectAt(carried, 'providerCall')
  const by = fieldAt(call, 'by')
  const isCall = typeof fieldAt(call, 'type') === 'string' && (by === 'provider' || by === 'client')
  return isCall ? (call as unknown as ProviderCall) : undefined
}
