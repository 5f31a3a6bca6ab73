/**
 * Collects the text blocks of one reply: text, reasoning and refusals. Several blocks may grow at the same time; each has its own
 * id.
 */
import type { LMDelta } from '@x/adapters'
import { splitMetadata } from '../kept.ts'
import { type Json, stringAt } from '../read.ts'
import type { OpenPart, ReplyContent } from './reply-content.ts'

/** The destination of a block's text: the content or the refusal. A `carrier` block has no text and only carries data. */
type Block = OpenPart | 'refusal' | 'carrier'

export class ReplyBlocks {
  readonly #content: ReplyContent
  readonly #blocks = new Map<string, Block>()
  #refusal = ''

  constructor(content: ReplyContent) {
    this.#content = content
  }

  get refusal(): string {
    return this.#refusal
  }

  /** Reads a part of a reply that isn't streamed. */
  read(part: Json): LMDelta[] {
    this.start(part, '')
    return this.grow({ ...part, delta: part.text }, '')
  }

  start(part: Json, id: string): LMDelta[] {
    const { carried } = splitMetadata(part.providerMetadata)
    const type = typeOf(part)
    const block = carried === undefined ? this.#content.open(type) : carried.refusal === true ? 'refusal' : 'carrier'
    this.#blocks.set(`${type} ${id}`, block)
    return this.grow(part, id)
  }

  /** Appends text to a block, or ends the block. Late metadata applies to the whole block, because a signature comes last. */
  grow(part: Json, id: string): LMDelta[] {
    const type = typeOf(part)
    const key = `${type} ${id}`
    const block = this.#blocks.get(key) ?? this.#content.open(type)
    this.#blocks.set(key, block)
    if (block === 'carrier') return []
    const text = stringAt(part, 'delta') ?? ''
    if (block === 'refusal') this.#refusal += text
    else append(block, text, part)
    return text === '' ? [] : [{ type: block === 'refusal' ? block : type, text }]
  }
}

function append(block: OpenPart, text: string, { providerMetadata }: Json): void {
  const { other } = splitMetadata(providerMetadata)
  if (other !== undefined) block.providerOptions = other
  block.text += text
}

/** Returns the kind of block for `text`, `text-start` and similar types. */
function typeOf({ type }: Json): OpenPart['type'] {
  return typeof type === 'string' && type.startsWith('text') ? 'text' : 'reasoning'
}
