/** What providers want back unchanged, kept in our metadata: under `ai-sdk` theirs, under the mark `@x/lm` in theirs ours. */
import type { SharedV3ProviderMetadata } from '@ai-sdk/provider'
import type { AssistantMessage, Metadata, ProviderCall, RawToolCall } from '@x/adapters'
import { arrayAt, fieldAt, isObject, type Json, objectAt } from './read.ts'

/** The name under which the bridge keeps what it wants back. */
export const NAMESPACE = 'ai-sdk'

/** Of a message: its content in the provider's order, where text, reasoning and calls alone do not say it. */
export interface KeptMessage {
  /** In the form in which they go back; of a call only its id. */
  readonly content?: readonly Json[] | undefined
  readonly sources?: readonly Json[] | undefined
  /** Of the reply as a whole; it does not go back. */
  readonly providerMetadata?: Json | undefined
}

export function keptContent({ metadata }: AssistantMessage): readonly Json[] {
  return arrayAt(metadata?.[NAMESPACE], 'content').filter(isObject)
}

/** What the provider wants back beside a call. */
export function keptOptions({ metadata }: RawToolCall): Json {
  const providerOptions = objectAt(metadata?.[NAMESPACE], 'providerOptions')
  return providerOptions === undefined ? {} : { providerOptions }
}

/** What replies of ours hold and the AI SDK has no place for; it travels in the provider metadata of a part. */
export interface Carried {
  readonly metadata?: Metadata | undefined
  readonly providerCall?: ProviderCall | undefined
  /** A call that was cut off: those who do not know the mark must not see it as a call. */
  readonly cutCall?: RawToolCall | undefined
  readonly unreadCall?: string | undefined
  /** The text beside it is a refusal. */
  readonly refusal?: true | undefined
}

const MARK = '@x/lm'

/** Models that `toAISDK` made: the mark is heeded in their replies only, so that no provider can write the metadata of another. */
const ownModels = new WeakSet<object>()

export function ownModel<Model extends object>(model: Model): Model {
  ownModels.add(model)
  return model
}

export function isOwnModel(model: object): boolean {
  return ownModels.has(model)
}

/** A part without the mark. */
export function unmarked(part: Json): Json {
  const { [MARK]: _mark, ...providerMetadata } = objectAt(part, 'providerMetadata') ?? {}
  return _mark === undefined ? part : { ...part, providerMetadata }
}

export function carry(carried: Carried): { providerMetadata: SharedV3ProviderMetadata } {
  return { providerMetadata: { [MARK]: carried } as unknown as SharedV3ProviderMetadata }
}

/** The metadata of a part, from `providerMetadata` or `providerOptions`: what we sent along, and the rest, where it says anything. */
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

/** Calls that were sent along, as they were; undefined for what is none. */
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
