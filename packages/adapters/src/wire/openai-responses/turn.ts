/** Encodes a model's turn as input: the items of the reply, with the current text and calls of the message. */
import type { AssistantMessage } from '../../protocol/protocol.ts'
import { assistantBlocks, type BlockForms } from '../assistant-blocks.ts'
import type { Lose } from '../convert-once.ts'
import { loseReasoning } from '../losses.ts'
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '../read-json.ts'
import type { ResponsesInputItem } from './body.ts'
import { callIdOf, isAsked, isCall, NAME, readItemRefusal, readItemText, toWireId } from './items.ts'

/** Encodes a turn. `isStored` is true if the provider stores its replies, so that an id is enough to identify a reasoning item. */
export function encodeTurn(message: AssistantMessage, isStored: boolean, lose: Lose): readonly ResponsesInputItem[] {
  const kept = arrayAt(objectAt(message.metadata, NAME), 'items').filter(isItem)
  const items = answered(isStored ? kept : withoutUnreadable(kept, lose), lose)
  const turn = assistantBlocks<Item>(message, items, FORMS)
  loseReasoning(message, kept.some(isReasoning), lose)
  // The API rejects reasoning that is the last item of a turn.
  const end = turn.findLastIndex((item) => !isReasoning(item)) + 1
  if (end < turn.length)
    lose({ path: '/metadata', keyword: 'reasoning', action: 'dropped', note: 'no content follows the reasoning' })
  // The cast is safe: the API accepts any item that it sent.
  return end > 0
    ? (turn.slice(0, end) as readonly JsonObject[] as readonly ResponsesInputItem[])
    : [{ role: 'assistant', content: message.content }]
}

type Item = JsonObject & { readonly type: string }

const FORMS: BlockForms<Item> = {
  // A refusal isn't part of the text, so its item stays in place.
  textOf: (item) => (item.type === 'message' ? readItemText(item) || (readItemRefusal(item) === '' ? '' : undefined) : undefined),
  callIdOf: (item) => (isCall(item) ? toWireId(callIdOf(item) ?? '') : undefined),
  toText: (text) => ({ type: 'message', role: 'assistant', content: text }),
  toCall: ({ id, name, arguments: text }, _index, kept) => ({
    ...kept,
    type: 'function_call',
    call_id: id,
    name,
    arguments: text,
  }),
}

function isItem(item: unknown): item is Item {
  return isObject(item) && stringAt(item, 'type') !== undefined
}

/**
 * Removes calls that the client had to execute if there is no output item, because the API would reject them. Only the reply can contain
 * such an output item, because a message has no field for it.
 */
function answered(items: readonly Item[], lose: Lose): readonly Item[] {
  const outputs = new Set(items.map((item) => (item.type.endsWith('_output') ? callIdOf(item) : undefined)))
  return items.filter((item) => {
    const isKept = !isAsked(item) || outputs.has(callIdOf(item))
    if (!isKept)
      lose({
        path: '/metadata',
        keyword: item.type,
        action: 'dropped',
        note: 'the call has no matching output item, and the API would reject it',
      })
    return isKept
  })
}

/**
 * Removes reasoning items that have only an id, because a provider that doesn't store replies can't resolve the id. Also removes the ids
 * of messages and calls, because with an id the provider requires the corresponding reasoning.
 */
function withoutUnreadable(items: readonly Item[], lose: Lose): readonly Item[] {
  const readable = items.filter((item) => !isReasoning(item) || isReadable(item))
  if (readable.length === items.length) return items
  lose({ path: '/reasoning', keyword: 'reasoning', action: 'dropped', note: 'the reasoning has no encrypted content' })
  return readable.map((item) => (isCall(item) || item.type === 'message' ? withoutId(item) : item))
}

function withoutId({ id, ...item }: Item): Item {
  return item as Item
}

function isReasoning({ type }: Item): boolean {
  return type === 'reasoning'
}

function isReadable(item: Item): boolean {
  return !!stringAt(item, 'encrypted_content') || arrayAt(item, 'content').length > 0
}
