/** Stores the blocks of a reply as metadata if text and calls alone can't express the reply. */
import type { Metadata } from '../../protocol/protocol.ts'
import { arrayAt, fieldAt, type JsonObject, objectAt, stringAt } from '../read-json.ts'
import type { ReplyBlock } from '../signed-blocks.ts'

export const NAME = 'bedrock-converse'

/**
 * Returns the blocks that must be sent back. Undefined if the reply consists only of text followed by calls. The names and inputs of
 * calls aren't stored, because the message contains them. Unsigned reasoning isn't stored, because the API rejects it in a request.
 */
export function keepBlocks(blocks: readonly ReplyBlock[]): Metadata | undefined {
  const wanted = blocks.filter(({ raw }) => !isReasoning(raw) || isSigned(raw))
  if (wanted.every(({ raw, callId }, index) => isPlain(raw, callId, wanted[index - 1]))) return undefined
  return { [NAME]: { content: wanted.map(toKept) } }
}

export function isReasoning(block: unknown): boolean {
  return fieldAt(block, 'reasoningContent') !== undefined
}

/** Returns the answer text of a block. Cited text is nested in a citations block. */
export function textOf(block: JsonObject): string | undefined {
  const text = stringAt(block, 'text')
  if (text !== undefined) return text
  const cited = arrayAt(objectAt(block, 'citationsContent'), 'content')
  return cited.length === 0 ? undefined : cited.map((piece) => stringAt(piece, 'text') ?? '').join('')
}

function isSigned(block: JsonObject): boolean {
  const reasoning = objectAt(block, 'reasoningContent')
  const signature = stringAt(objectAt(reasoning, 'reasoningText'), 'signature') || stringAt(reasoning, 'redactedContent')
  return signature !== undefined && signature !== ''
}

function isPlain(block: JsonObject, callId: string | undefined, before: ReplyBlock | undefined): boolean {
  if (callId === undefined) return stringAt(block, 'text') !== undefined && before?.callId === undefined
  return Object.entries(objectAt(block, 'toolUse') ?? {}).every(([key, value]) => value === null || PLAIN_KEYS.has(key))
}

const PLAIN_KEYS: ReadonlySet<string> = new Set(['toolUseId', 'name', 'input', 'type'])

/** Removes the name and the input of a call, which the message contains. Also removes the type, which the API rejects in a request. */
function toKept({ raw, callId }: ReplyBlock): JsonObject {
  if (callId === undefined) return raw
  const { name, input, type, ...kept } = objectAt(raw, 'toolUse') ?? {}
  return { toolUse: { ...kept, toolUseId: callId } }
}
