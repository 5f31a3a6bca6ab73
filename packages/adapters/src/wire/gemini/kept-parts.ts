/** The parts of a model's turn, as they must be sent back: in order, each with its signature. */
import { findFault, MAX_DEPTH } from '@x/tool-core'
import type { AssistantMessage } from '../../protocol/protocol.ts'
import { arrayAt, fieldAt, isObject, type JsonObject, objectAt, stringAt } from '../read-json.ts'
import type { GeminiPart } from './body.ts'

/** Collects the parts of a reply. A call is stored by its id; its content is in the message. */
export class KeptParts {
  readonly #parts: Record<string, unknown>[] = []

  /** Merges pieces of text into one part. A signed piece is kept separate, because its signature covers that text only. */
  add(part: JsonObject): void {
    // A part that can't be serialized again would break the whole conversation.
    if (findFault(part, MAX_DEPTH) !== undefined) return
    const last = this.#parts.at(-1)
    if (!isPlainText(part)) this.#parts.push({ ...part })
    else if (last !== undefined && isPlainText(last) && last.thought === part.thought)
      last.text = `${last.text as string}${part.text as string}`
    else if (part.text !== '') this.#parts.push({ ...part })
  }

  addCall(id: string): void {
    this.#parts.push({ functionCall: { id } })
  }

  /** Undefined if text and calls alone, in this order, express the same turn. */
  parts(): readonly JsonObject[] | undefined {
    const first = this.#parts[0]
    const calls = first !== undefined && isPlainText(first) && first.thought === undefined ? this.#parts.slice(1) : this.#parts
    return calls.every((part) => part.functionCall !== undefined) ? undefined : this.#parts
  }
}

/** True for a part that only contains text, and optionally the mark of a thought. */
function isPlainText(part: JsonObject): boolean {
  return (
    typeof part.text === 'string' &&
    Object.keys(part).every((key) => key === 'text' || (key === 'thought' && part.thought === true))
  )
}

/**
 * Returns the turn as the model wrote it. If the message was edited since, sends its current text and calls, together with the parts that
 * only the provider can write: thoughts and provider-executed calls.
 */
export function placeParts({ content, metadata }: AssistantMessage, calls: readonly GeminiPart[]): readonly GeminiPart[] {
  const kept = arrayAt(objectAt(metadata, 'gemini'), 'parts').filter(isObject)
  const answers = kept.filter(isAnswer)
  const isEdited = answers.map(({ text }) => text).join('') !== content
  const parts: GeminiPart[] = []
  const left = new Set(calls)
  const byId = new Map(calls.map((call) => [call.functionCall?.id, call]))
  for (const part of kept) {
    const call = byId.get(stringAt(fieldAt(part, 'functionCall'), 'id'))
    if (call !== undefined && left.delete(call)) parts.push(call)
    else if (part.functionCall === undefined && !(isEdited && isAnswer(part))) parts.push(part)
  }
  parts.push(...left)
  if (!isEdited || content === '') return parts
  const firstCall = parts.findIndex((part) => part.functionCall !== undefined)
  return parts.toSpliced(firstCall === -1 ? parts.length : firstCall, 0, { text: content })
}

function isAnswer(part: JsonObject): boolean {
  return typeof part.text === 'string' && part.thought !== true
}
