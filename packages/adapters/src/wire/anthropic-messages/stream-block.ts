/** Collects one block of a streamed reply. */
import { readArguments } from '../../arguments/parse.ts'
import { arrayAt, fieldAt, type JsonObject, stringAt } from '../read-json.ts'

/** Joins the pieces of a block into the block that a complete reply would contain. */
export class StreamBlock {
  readonly key: number
  readonly start: JsonObject
  isStopped = false
  readonly #text: string[] = []
  readonly #input: string[] = []
  readonly #citations: unknown[] = []
  #signature: string | undefined
  #summary: JsonObject = {}

  constructor(key: number, start: JsonObject) {
    this.key = key
    this.start = start
  }

  get isCall(): boolean {
    return this.start.type === 'tool_use'
  }

  /** Adds answer text or thinking, whichever the block contains. */
  addText(text: string): void {
    this.#text.push(text)
  }

  addInput(text: string): void {
    this.#input.push(text)
  }

  addSignature(signature: string): void {
    this.#signature = (this.#signature ?? '') + signature
  }

  addCitation(citation: unknown): void {
    this.#citations.push(citation)
  }

  /** Adds the summary of a compacted conversation. It may arrive in pieces, and it is null if the compaction failed. */
  addSummary({ type, content, ...fields }: JsonObject): void {
    const before = stringAt(this.#summary, 'content') ?? ''
    this.#summary = { ...this.#summary, ...fields, ...(typeof content === 'string' && { content: before + content }) }
  }

  whole(): JsonObject {
    const { type } = this.start
    if (type === 'compaction') return { ...this.start, ...this.#summary }
    if (type === 'text' || type === 'thinking') return { ...this.start, ...this.#wholeText(type) }
    return this.#input.length === 0 || this.isCall ? this.start : { ...this.start, input: this.#wholeInput() }
  }

  #wholeText(type: 'text' | 'thinking'): JsonObject {
    const citations = [...arrayAt(this.start, 'citations'), ...this.#citations]
    return {
      [type]: (stringAt(this.start, type) ?? '') + this.#text.join(''),
      ...(citations.length > 0 && { citations }),
      ...(this.#signature !== undefined && { signature: (stringAt(this.start, 'signature') ?? '') + this.#signature }),
    }
  }

  #wholeInput(): unknown {
    const parsed = readArguments(this.#input.join(''))
    return parsed.ok ? parsed.value : fieldAt(this.start, 'input')
  }
}
