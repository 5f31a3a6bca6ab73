/** Stores the parts of a model's turn that must be sent back, in order and with their signatures. */
import type { AssistantMessage } from '../../protocol/protocol.ts'
import { arrayAt, fieldAt, isObject, isWritable, type JsonObject, objectAt, stringAt } from '../read-json.ts'
import type { GeminiPart } from './body.ts'

/** Collects the parts of a reply. For a call, stores only the id, because the message contains the rest. */
export class KeptParts {
  readonly #parts: Record<string, unknown>[] = []

  /** Adds a part. Joins pieces of text, except signed pieces, because a signature covers only the text of its own piece. */
  add(part: JsonObject): void {
    // Skips a part that can't be serialized, because it would make every later request fail.
    if (!isWritable(part)) return
    const last = this.#parts.at(-1)
    if (!isPlainText(part)) this.#parts.push({ ...part })
    else if (last !== undefined && isPlainText(last) && last.thought === part.thought)
      last.text = `${last.text as string}${part.text as string}`
    else if (part.text !== '') this.#parts.push({ ...part })
  }

  addCall(id: string): void {
    this.#parts.push({ functionCall: { id } })
  }

  /** Returns the parts to store. Undefined if the turn is only text followed by calls. */
  parts(): readonly JsonObject[] | undefined {
    const first = this.#parts[0]
    const calls = first !== undefined && isPlainText(first) && first.thought === undefined ? this.#parts.slice(1) : this.#parts
    return calls.every((part) => part.functionCall !== undefined) ? undefined : this.#parts
  }
}

/** True for a part that contains only text and, optionally, the flag of a thought. */
function isPlainText(part: JsonObject): boolean {
  return (
    typeof part.text === 'string' &&
    Object.keys(part).every((key) => key === 'text' || (key === 'thought' && part.thought === true))
  )
}

/**
 * Returns the parts of a turn as the model wrote them. If the message was edited, returns its current text and calls, and the parts that
 * only the provider can create: thoughts and provider-executed calls.
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
