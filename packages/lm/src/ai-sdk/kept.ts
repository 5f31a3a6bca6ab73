/**
 * Keeps data that must be sent back to providers unchanged. Data of AI SDK providers is kept in our metadata under `ai-sdk`. Our own data
 * is kept in the AI SDK's metadata under `@x/lm`.
 */
import type { SharedV3ProviderMetadata } from '@ai-sdk/provider'
import type { AssistantMessage, Metadata, ProviderCall, RawToolCall } from '@x/adapters'
import { arrayAt, fieldAt, isObject, type Json, objectAt } from './read.ts'

/** The key of metadata that is sent back to an AI SDK provider. */
export const NAMESPACE = 'ai-sdk'

/** Data to keep for a message whose content and order can't be rebuilt from its text, reasoning and calls. */
export interface KeptMessage {
  /** The parts in the form in which they are sent back, in the provider's order. A call is represented only by its id. */
  readonly content?: readonly Json[] | undefined
  readonly sources?: readonly Json[] | undefined
  /** The provider's metadata for the whole reply, which isn't sent back. */
  readonly providerMetadata?: Json | undefined
}

export function keptContent({ metadata }: AssistantMessage): readonly Json[] {
  return arrayAt(metadata?.[NAMESPACE], 'content').filter(isObject)
}

/** Returns the provider options to send back with a call. */
export function keptOptions({ metadata }: RawToolCall): Json {
  const providerOptions = objectAt(metadata?.[NAMESPACE], 'providerOptions')
  return providerOptions === undefined ? {} : { providerOptions }
}

/** Content of our replies for which the AI SDK has no field. It's carried in the provider metadata of a part. */
export interface Carried {
  readonly metadata?: Metadata | undefined
  readonly providerCall?: ProviderCall | undefined
  /** A truncated call. Code that doesn't know this field must not take it for a call. */
  readonly cutCall?: RawToolCall | undefined
  readonly malformedCall?: string | undefined
  /** True if the part's text is a refusal. */
  readonly refusal?: true | undefined
}

const MARK = '@x/lm'

/**
 * Models that `toAISDK` has created. Our own data is read only from their replies, so that a provider can't forge the metadata of another
 * one.
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

/** Separates the data that we attached from the rest of a part's `providerMetadata` or `providerOptions`. Leaves out empty entries. */
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

/** Reads a truncated call that we attached. Undefined if there is none. */
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
