/** Metadata of a reply: fields that the host must receive back unchanged, and the sources of the answer. */
import type { Metadata } from '../../protocol/protocol.ts'
import { arrayAt, fieldAt, isObject, isWritable, type JsonObject, objectAt, stringAt } from '../read-json.ts'
import type { OpenAIChatHost } from './hosts.ts'

/** The fields of a host's profile that affect replies. */
export type ReplyHost = Pick<OpenAIChatHost, 'name' | 'wantsBack'>

/** Collects the fields to keep from a complete message, or from its deltas. */
export class KeptFields {
  readonly #host: ReplyHost
  readonly #reasoning: string[] = []
  readonly #details: ReasoningDetail[] = []
  readonly #annotations: unknown[] = []
  readonly #whole = new Map<string, unknown>()

  constructor(host: ReplyHost) {
    this.#host = host
  }

  /** Adds a complete reply and its message, or a chunk and its delta. */
  push(reply: unknown, message: unknown): void {
    const field = this.#host.wantsBack
    const reasoning = field === 'reasoning_content' ? stringAt(message, field) : undefined
    if (reasoning !== undefined) this.#reasoning.push(reasoning)
    if (field === 'reasoning_details') for (const detail of arrayAt(message, field)) this.#pushDetail(detail)
    this.#annotations.push(...arrayAt(message, 'annotations'))
    const extra = objectAt(message, 'extra_content')
    if (extra !== undefined && isWritable(extra)) this.#whole.set('extra_content', extra)
    for (const key of SOURCES) {
      const sources = arrayAt(reply, key)
      if (sources.length > 0) this.#whole.set(key, sources)
    }
  }

  metadata(): Metadata | undefined {
    const kept = new Map(this.#whole)
    // Empty reasoning is kept too, because a host may reject a turn without this field (github.com/MoonshotAI/kimi-cli/pull/2498).
    if (this.#reasoning.length > 0) kept.set('reasoning_content', this.#reasoning.join(''))
    if (this.#details.length > 0) kept.set('reasoning_details', this.#details.map(wholeDetail))
    if (this.#annotations.length > 0) kept.set('annotations', this.#annotations)
    return kept.size === 0 ? undefined : { [this.#host.name]: Object.fromEntries(kept) }
  }

  /**
   * Adds a reasoning detail. Details with the same type and index are pieces of one block, so they are joined. The last piece contains
   * the signature.
   */
  #pushDetail(value: unknown): void {
    if (!isObject(value) || !isWritable(value)) return
    const last = this.#details.at(-1)
    const isContinuation =
      last !== undefined &&
      isPiece(value) &&
      fieldAt(value, 'type') === last.fields.type &&
      fieldAt(value, 'index') === last.fields.index
    const detail = isContinuation ? last : { fields: {}, text: [], summary: [] }
    if (!isContinuation) this.#details.push(detail)
    detail.fields = isContinuation ? { ...last.fields, ...withoutNulls(value) } : value
    for (const key of PIECES) {
      const piece = stringAt(value, key)
      if (piece !== undefined) detail[key].push(piece)
    }
  }
}

interface ReasoningDetail {
  fields: JsonObject
  readonly text: string[]
  readonly summary: string[]
}

/** Fields with the sources of the whole reply. Some servers repeat them in every chunk. */
const SOURCES = ['citations', 'search_results']
const PIECES = ['text', 'summary'] as const

function isPiece(detail: JsonObject): boolean {
  const type = stringAt(detail, 'type')
  return fieldAt(detail, 'index') !== undefined && (type === 'reasoning.text' || type === 'reasoning.summary')
}

function withoutNulls(detail: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== null))
}

function wholeDetail({ fields, text, summary }: ReasoningDetail): JsonObject {
  return {
    ...fields,
    ...(text.length > 1 && { text: text.join('') }),
    ...(summary.length > 1 && { summary: summary.join('') }),
  }
}

/** Returns the metadata of a call: the original id if it was replaced, and fields that the host must receive back. */
export function callMetadata(host: ReplyHost, rawId: string | undefined, id: string, entry: unknown): Metadata | undefined {
  const extra = objectAt(entry, 'extra_content')
  const kept = { ...(rawId && rawId !== id && { id: rawId }), ...(extra && isWritable(extra) && { extra_content: extra }) }
  return Object.keys(kept).length === 0 ? undefined : { [host.name]: kept }
}
