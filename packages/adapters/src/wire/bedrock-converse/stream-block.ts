/** Collects one block of a streamed Converse reply. */
import { readArguments } from '../../arguments/parse.ts'
import { arrayAt, fieldAt, type JsonObject, objectAt, stringAt } from '../read-json.ts'

/** Joins the pieces of a block into the block that a complete reply would contain. */
export class StreamBlock {
  readonly key: number
  readonly start: JsonObject
  isStopped = false
  readonly #text: string[] = []
  readonly #reasoning: string[] = []
  readonly #signature: string[] = []
  readonly #redacted: string[] = []
  readonly #citations: unknown[] = []
  readonly #input: string[] = []
  readonly #results: unknown[] = []

  constructor(key: number, start: JsonObject) {
    this.key = key
    this.start = start
  }

  add(delta: JsonObject): void {
    const reasoning = objectAt(delta, 'reasoningContent')
    addText(this.#text, delta, 'text')
    addText(this.#reasoning, reasoning, 'text')
    addText(this.#signature, reasoning, 'signature')
    addText(this.#redacted, reasoning, 'redactedContent')
    const citation = objectAt(delta, 'citation')
    if (citation !== undefined) this.#citations.push(citation)
    for (const result of arrayAt(delta, 'toolResult')) this.#results.push(result)
  }

  addInput(text: string): void {
    this.#input.push(text)
  }

  whole(): JsonObject {
    const toolUse = objectAt(this.start, 'toolUse')
    if (toolUse !== undefined) return { toolUse: { ...toolUse, input: this.#wholeInput(toolUse) } }
    const toolResult = objectAt(this.start, 'toolResult')
    if (toolResult !== undefined) return { toolResult: { ...toolResult, content: this.#results } }
    if (this.#redacted.length > 0) return { reasoningContent: { redactedContent: this.#redacted.join('') } }
    if (this.#reasoning.length + this.#signature.length > 0)
      return { reasoningContent: { reasoningText: this.#wholeReasoning() } }
    const text = this.#text.join('')
    if (this.#citations.length > 0)
      return { citationsContent: { ...(text !== '' && { content: [{ text }] }), citations: this.#citations } }
    return text === '' && Object.keys(this.start).length > 0 ? this.start : { text }
  }

  #wholeReasoning(): JsonObject {
    const signature = this.#signature.join('')
    return { text: this.#reasoning.join(''), ...(signature !== '' && { signature }) }
  }

  #wholeInput(toolUse: JsonObject): unknown {
    const parsed = readArguments(this.#input.join(''))
    return parsed.ok ? parsed.value : (fieldAt(toolUse, 'input') ?? {})
  }
}

function addText(pieces: string[], delta: unknown, key: string): void {
  const text = stringAt(delta, key)
  if (text) pieces.push(text)
}
