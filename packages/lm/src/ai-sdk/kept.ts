/**
 * Keeps data that must be sent back to providers unchanged. Data from AI SDK providers is kept in our metadata under `ai-sdk`, and our data
 * in the AI SDK's metadata under the mark `@x/lm`.
 */
import type { SharedV3ProviderMetadata } from '@ai-sdk/provider'
import type { AssistantMessage, Metadata, ProviderCall, RawToolCall } from '@x/adapters'
import { arrayAt, fieldAt, isObject, type Json, objectAt } from './read.ts'

/** Metadata key for data that is sent back to the AI SDK's provider. */
export const NAMESPACE = 'ai-sdk'

/** Data kept for a message if its content and order can't be rebuilt from its text, reasoning and calls. */
export interface KeptMessage {
  /** Parts in the form in which they are sent back, in the provider's order. Only the id is kept for a call. */
  readonly content?: readonly Json[] | undefined
  readonly sources?: readonly Json[] | undefined
  /** Metadata of the whole reply. It isn't sent back. */
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

/** Content of our replies that the AI SDK has no field for. It travels in the provider metadata of a part. */
export interface Carried {
  readonly metadata?: Metadata | undefined
  readonly providerCall?: ProviderCall | undefined
  /** A truncated call. Code that doesn't know the marker must not treat it as a call. */
  readonly cutCall?: RawToolCall | undefined
  readonly malformedCall?: string | undefined
  /** Marks the text of the part as a refusal. */
  readonly refusal?: true | undefined
}

const MARK = '@x/lm'

/** Models made by `toAISDK`. The mark is read only in their replies, so that no provider can forge the metadata of another. */
const ownModels = new WeakSet<object>()

export function ownModel<Model extends object>(model: Model): Model {
  ownModels.add(model)
  return model
}

export function isOwnModel(model: object): boolean {
  return ownModels.has(model)
}

/** Returns the part without the mark. */
export function unmarked(part: Json): Json {
  const { [MARK]: _mark, ...providerMetadata } = objectAt(part, 'providerMetadata') ?? {}
  return _mark === undefined ? part : { ...part, providerMetadata }
}

export function carry(carried: Carried): { providerMetadata: SharedV3ProviderMetadata } {
  return { providerMetadata: { [MARK]: carried } as unknown as SharedV3ProviderMetadata }
}

/** Splits a part's metadata, `providerMetadata` or `providerOptions`, into data that we attached and the rest. Omits empty entries. */
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

/** Reads a truncated call that we attached. Returns undefined for anything else. */
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
