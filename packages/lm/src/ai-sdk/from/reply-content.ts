/** Collects the content of one reply, including data that must be sent back to the provider. */
import type { Metadata } from '@x/adapters'
import { type KeptMessage, NAMESPACE, splitMetadata } from '../kept.ts'
import { type Json, optional } from '../read.ts'

/** Text or reasoning that may still be growing. */
export interface OpenPart {
  readonly type: 'text' | 'reasoning'
  text: string
  providerOptions?: Json
}

export class ReplyContent {
  readonly #parts: (OpenPart | Json)[] = []
  readonly #sources: Json[] = []
  #providerMetadata: Json | undefined

  open(type: OpenPart['type']): OpenPart {
    const part: OpenPart = { type, text: '' }
    this.#parts.push(part)
    return part
  }

  call(id: string): void {
    this.#parts.push({ type: 'tool-call', toolCallId: id })
  }

  /** Keeps a part that must be sent back unchanged: a provider-executed call, its result, or a file. */
  keep(part: Json): void {
    this.#parts.push(part)
  }

  source(source: Json): void {
    this.#sources.push(source)
  }

  finish(providerMetadata: unknown): void {
    this.#providerMetadata = splitMetadata(providerMetadata).other
  }

  text(type: OpenPart['type']): string {
    return this.#parts.map((part) => (part.type === type ? part.text : '')).join('')
  }

  /**
   * Returns the data to keep with the message. Returns undefined if the reply can be rebuilt from its text, reasoning and calls.
   */
  metadata(): Metadata | undefined {
    const parts = this.#parts.filter((part) => !isEmpty(part))
    const kept: KeptMessage = optional({
      content: isPlain(parts) ? undefined : parts.map((part): Json => ({ ...part })),
      sources: this.#sources.length === 0 ? undefined : this.#sources,
      providerMetadata: this.#providerMetadata,
    })
    return Object.keys(kept).length === 0 ? undefined : { [NAMESPACE]: kept }
  }
}

function isEmpty(part: OpenPart | Json): boolean {
  return part.text === '' && part.providerOptions === undefined
}

/**
 * Returns true if the parts are at most one reasoning part, at most one text part, and calls, in this order and without provider
 * options. A message without kept content is sent in exactly this form.
 */
function isPlain(parts: readonly (OpenPart | Json)[]): boolean {
  const order = parts.map(({ type }) => ORDER.indexOf(type as string))
  const isInOrder = order.every((place, index) => {
    const before = order[index - 1] ?? -1
    return place >= 0 && (place > before || (place === before && place === CALL))
  })
  return isInOrder && parts.every(({ providerOptions }) => providerOptions === undefined)
}

const ORDER = ['reasoning', 'text', 'tool-call']
const CALL = 2
