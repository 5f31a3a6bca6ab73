/** Encodes messages as Gemini's turns: user turns, which include the results of calls, and model turns. */
import type { ContentPart } from '@x/tool-core'
import { partsOf, toContent } from '../../protocol/content.ts'
import type { AssistantMessage, Message, RawToolCall, ToolMessage, UserMessage } from '../../protocol/protocol.ts'
import { callInput } from '../call-input.ts'
import { byMessage, type Lose } from '../convert-once.ts'
import { losePart, loseReasoning } from '../losses.ts'
import { objectAt, stringAt } from '../read-json.ts'
import { EMPTY } from '../user-turns.ts'
import type { GeminiContent, GeminiPart } from './body.ts'
import { placeParts } from './kept-parts.ts'
import type { ModelTraits } from './models.ts'

/** Placeholder signature for calls that another model made (ai.google.dev/gemini-api/docs/thought-signatures). */
const NO_SIGNATURE = 'skip_thought_signature_validator'

export interface Conversation {
  readonly contents: GeminiContent[]
  readonly systemInstruction?: { parts: GeminiPart[] }
}

export function encodeMessages(messages: readonly Message[], traits: ModelTraits, lose: Lose): Conversation {
  const contents: GeminiContent[] = []
  const system: GeminiPart[] = []
  const toModel = traits.signedCalls ? toSignedTurn : toTurn
  const toResult = traits.mediaResults ? toResultWithMedia : toResultBesideMedia
  let orderOf: ReadonlyMap<string, number> = new Map()
  let results: { readonly order: number; readonly result: Result }[] = []
  const closeResults = () => {
    if (results.length > 0) contents.push({ role: 'user', parts: mergeResults(results) })
    results = []
  }
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      results.push({ order: orderOf.get(message.callId) ?? orderOf.size, result: toResult(message, index, lose) })
      continue
    }
    closeResults()
    if (message.role === 'system') {
      system.push({ text: message.content })
      // The API accepts a system instruction only before all turns.
      if (contents.length > 0) lose({ path: `/messages/${index}`, keyword: 'position', action: 'dropped' })
    } else if (message.role === 'user') contents.push(toUserTurn(message, index, lose))
    else {
      orderOf = new Map(message.toolCalls?.map(({ id }, order) => [id, order]))
      const turn = toModel(message, index, lose)
      if (turn.parts.length > 0) contents.push(turn)
      else lose({ path: `/messages/${index}`, keyword: 'content', action: 'dropped', note: EMPTY })
    }
  }
  closeResults()
  return { contents, ...(system.length > 0 && { systemInstruction: { parts: system } }) }
}

const toUserTurn = byMessage<UserMessage, GeminiContent>((message, lose) => ({
  role: 'user',
  parts: notEmpty(partsOf(message).map((part, index) => toPart(part, index, lose))),
}))

const toTurn = byMessage<AssistantMessage, GeminiContent>((message, lose) => toModelTurn(message, lose))

const toSignedTurn = byMessage<AssistantMessage, GeminiContent>((message, lose) => {
  const turn = toModelTurn(message, lose)
  const first = turn.parts.findIndex((part) => part.functionCall !== undefined)
  const call = turn.parts[first]
  if (call === undefined || call.thoughtSignature !== undefined) return turn
  return { ...turn, parts: turn.parts.with(first, { ...call, thoughtSignature: NO_SIGNATURE }) }
})

function toModelTurn(message: AssistantMessage, lose: Lose): GeminiContent {
  const calls = (message.toolCalls ?? []).map((call, index) => toCallPart(call, index, lose))
  const parts = placeParts(message, calls)
  const hasThoughts = parts.some(({ thought }) => thought === true)
  loseReasoning(message, hasThoughts, lose)
  return { role: 'model', parts: [...parts] }
}

function toCallPart(call: RawToolCall, index: number, lose: Lose): GeminiPart {
  const { id, name, metadata } = call
  const thoughtSignature = stringAt(objectAt(metadata, 'gemini'), 'thoughtSignature')
  return {
    functionCall: { id, name, args: callInput(call, index, lose) },
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  }
}

interface Result {
  readonly response: GeminiPart
  /** Parts that come after the function responses of the turn. */
  readonly beside: readonly GeminiPart[]
}

const toResultWithMedia = byMessage<ToolMessage, Result>((message, lose) => {
  const words: ContentPart[] = []
  const within: GeminiPart[] = []
  const beside: GeminiPart[] = []
  for (const [index, part] of partsOf(message).entries()) {
    const isWithin = part.type !== 'text' && isResponsePart(part)
    if (part.type !== 'text') (isWithin ? within : beside).push(...toMedia(part, index, lose))
    if (!isWithin) words.push(part)
  }
  const { response } = toResponse(message, within.length === 0 ? message.content : toContent(words).content)
  if (within.length === 0) return { response, beside }
  const { functionResponse } = response as Required<Pick<GeminiPart, 'functionResponse'>>
  return { response: { functionResponse: { ...functionResponse, parts: within } }, beside }
})

/**
 * True for media that a function response accepts: images and documents, but not audio or video. A URL must point to a file at Google.
 */
function isResponsePart({ mediaType, source }: Exclude<ContentPart, { type: 'text' }>): boolean {
  return WITHIN.has(mediaType) && ('base64' in source || OWN_FILE.test(source.url))
}

const WITHIN: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'text/plain'])
const OWN_FILE = /^(?:gs:|https:\/\/generativelanguage\.googleapis\.com\/)/

/** Encodes a result. Media follow the function responses, and the result's text names each of them in its original position. */
const toResultBesideMedia = byMessage<ToolMessage, Result>((message, lose) => ({
  ...toResponse(message, message.content),
  beside: partsOf(message).flatMap((part, index) => (part.type === 'text' ? [] : toMedia(part, index, lose))),
}))

/**
 * Builds the function response. The text is always sent as a string, because Gemini would interpret `$ref` in an object as a reference of
 * its own (github.com/vercel/ai/issues/14369).
 */
function toResponse({ callId, name, isError }: ToolMessage, text: string): Result {
  const response = { [isError ? 'error' : 'output']: text }
  return { response: { functionResponse: { id: callId, name, response } }, beside: [] }
}

/** Sorts results into the order of their calls, because Gemini matches results to calls by position as well as by id. */
function mergeResults(results: readonly { readonly order: number; readonly result: Result }[]): GeminiPart[] {
  const inOrder = results.toSorted((a, b) => a.order - b.order).map(({ result }) => result)
  return [...inOrder.map(({ response }) => response), ...inOrder.flatMap(({ beside }) => beside)]
}

function toPart(part: ContentPart, index: number, lose: Lose): GeminiPart {
  if (part.type === 'text') return { text: part.text }
  return toMedia(part, index, lose)[0] ?? { text: toContent([part]).content }
}

/** Encodes an image or a file. Returns no part for an image type that the API rejects. */
function toMedia(part: Exclude<ContentPart, { type: 'text' }>, index: number, lose: Lose): GeminiPart[] {
  const { source } = part
  const mimeType = part.mediaType === 'image/*' && 'url' in source ? typeOfUrl(source.url) : part.mediaType
  if (part.type === 'image' && !IMAGES.has(mimeType)) {
    losePart(part, index, lose)
    return []
  }
  if (part.type === 'file' && part.name !== undefined) lose({ path: `/parts/${index}/name`, keyword: 'name', action: 'dropped' })
  if ('base64' in source) return [{ inlineData: { mimeType, data: source.base64 } }]
  return [{ fileData: { mimeType, fileUri: source.url } }]
}

/**
 * Returns the type that the extension shows, because Vertex AI requires a type. Default: `image/jpeg`, as in the AI SDK
 * (@ai-sdk/google, convert-to-google-messages.ts).
 */
function typeOfUrl(url: string): string {
  const extension = /^[^?#]*\.(png|webp|heic|heif|gif|svg|avif|bmp|tiff?)(?:[?#]|$)/i.exec(url)?.[1]
  return `image/${extension?.toLowerCase() ?? 'jpeg'}`
}

/** The image types that the API accepts. Source: Gemini API, image understanding. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'])

/**
 * Leaves out empty text, which Vertex rejects (github.com/langchain-ai/langchainjs/issues/9922). A turn without anything else gets one,
 * because the API also rejects a turn without parts.
 */
function notEmpty(parts: GeminiPart[]): GeminiPart[] {
  const full = parts.filter(({ text }) => text !== '')
  return full.length === 0 ? [{ text: '' }] : full
}
