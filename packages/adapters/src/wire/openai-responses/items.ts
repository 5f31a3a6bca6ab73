/** Reads the items of a reply: text, reasoning, calls to the request's tools, and calls to the provider's own tools. */
import type { FinishReason, Metadata, ProviderCall } from '../../protocol/protocol.ts'
import { arrayAt, fieldAt, isObject, isWritable, objectAt, optional, stringAt } from '../read-json.ts'
import { shortIds } from '../wire-ids.ts'

export const NAME = 'openai-responses'

export const toWireId = shortIds(64)

export function readItemText(item: unknown): string {
  return readParts(item, 'message', 'content', 'output_text', 'text')
}

export function readItemRefusal(item: unknown): string {
  return readParts(item, 'message', 'content', 'refusal', 'refusal')
}

/** Reads the reasoning: its summary and, if the model shows it, its full text. */
export function readItemReasoning(item: unknown): string {
  return (
    readParts(item, 'reasoning', 'summary', 'summary_text', 'text') +
    readParts(item, 'reasoning', 'content', 'reasoning_text', 'text')
  )
}

function readParts(item: unknown, type: string, list: string, partType: string, field: string): string {
  if (stringAt(item, 'type') !== type) return ''
  return arrayAt(item, list)
    .map((part) => (stringAt(part, 'type') === partType ? (stringAt(part, field) ?? '') : ''))
    .join('')
}

/** Returns the id that results refer to. If there is none, returns the item's own id. */
export function callIdOf(item: unknown): string | undefined {
  return stringAt(item, 'call_id') || stringAt(item, 'id') || undefined
}

/** Returns the metadata of a call: the id of the item, its namespace and caller, and the original call id if it was replaced. */
export function callMetadata(item: unknown, id: string): Metadata | undefined {
  const rawId = callIdOf(item)
  const kept = optional({
    item_id: stringAt(item, 'id') || undefined,
    namespace: fieldAt(item, 'namespace') ?? undefined,
    caller: fieldAt(item, 'caller') ?? undefined,
    id: rawId === id ? undefined : rawId,
  })
  return Object.keys(kept).length === 0 ? undefined : { [NAME]: kept }
}

/** Reads a call to a provider tool, or its result. Returns undefined for the item types in `NO_PROVIDER_CALLS`. */
export function toProviderCall(item: unknown): ProviderCall | undefined {
  const type = stringAt(item, 'type') || 'message'
  if (NO_PROVIDER_CALLS.has(type)) return undefined
  const id = callIdOf(item)
  const by = isAsked(item) || type === 'mcp_approval_request' ? 'client' : 'provider'
  return { type, by, ...optional({ id, name: stringAt(item, 'name') || undefined }), raw: item }
}

const NO_PROVIDER_CALLS: ReadonlySet<string> = new Set([
  ...['message', 'reasoning', 'function_call', 'additional_tools', 'item_reference'],
  // Items of a compacted conversation.
  ...['compaction', 'compaction_summary', 'compaction_trigger', 'context_compaction'],
])

/** True for a call to a provider's tool that the client must execute, such as `shell_call`. */
export function isAsked(item: unknown): boolean {
  const type = stringAt(item, 'type') ?? ''
  return ASKED.has(type) || (type === 'tool_search_call' && stringAt(item, 'execution') === 'client')
}

const ASKED = new Set(['custom_tool_call', 'shell_call', 'local_shell_call', 'apply_patch_call', 'computer_call'])

export function isCall(item: unknown): boolean {
  return stringAt(item, 'type') === 'function_call'
}

export interface Ending {
  readonly finishReason: FinishReason | undefined
  readonly rawFinishReason: string | undefined
}

/** Reads the finish reason. A complete reply with calls has the finish reason `tool-calls`, because the API itself has none for calls. */
export function readEnding(reply: unknown, hasCalls: boolean): Ending {
  const status = stringAt(reply, 'status')
  if (status === 'failed' || status === 'cancelled') return { finishReason: 'error', rawFinishReason: status }
  const rawFinishReason = stringAt(objectAt(reply, 'incomplete_details'), 'reason') ?? status
  const isComplete = status === 'completed' || (status === undefined && Array.isArray(fieldAt(reply, 'output')))
  if (isComplete) return { finishReason: hasCalls ? 'tool-calls' : 'stop', rawFinishReason }
  return { finishReason: rawFinishReason === undefined ? undefined : (FINISHES.get(rawFinishReason) ?? 'other'), rawFinishReason }
}

const FINISHES: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['max_output_tokens', 'length'],
  ['max_tokens', 'length'],
  ['incomplete', 'length'],
  ['content_filter', 'content-filter'],
])

/** Returns the items to send back with the assistant message. */
export function itemsMetadata(items: readonly unknown[]): Metadata | undefined {
  const kept = items.filter((item) => isObject(item) && isWritable(item))
  return kept.length === 0 ? undefined : { [NAME]: { items: kept } }
}
