/** Replies of providers that search deferred tools, in the form of their APIs: the search, the tools that it found, and a call. */
import type { LMRequest, LMResponse, RawToolCall } from '@x/adapters'
import { anthropicMessages, openaiResponses, type WireFormat } from '@x/adapters/wire'

/** An API whose provider searches tools, with a model for which it does so. */
export interface SearchingAPI {
  readonly wire: WireFormat
  readonly model: string
  /** Returns a reply with a call. `found` contains the tools that a search before the call found. */
  reply(call: RawToolCall, found: LMRequest['tools'], query: string): object
}

export const SEARCHING_APIS: readonly SearchingAPI[] = [
  {
    wire: anthropicMessages,
    model: 'claude-sonnet-4-6',
    reply: ({ id, name, arguments: text }, found = [], query) => ({
      content: [
        ...(found.length === 0 ? [] : searchBlocks(`srvtoolu_${id}`, found, query)),
        { type: 'tool_use', id, name, input: JSON.parse(text) },
      ],
      stop_reason: 'tool_use',
    }),
  },
  {
    wire: openaiResponses,
    model: 'gpt-5.4',
    reply: ({ id, name, arguments: text }, found = [], query) => ({
      output: [
        ...(found.length === 0 ? [] : searchItems(id, found, query)),
        {
          type: 'function_call',
          id: `fc_${id}`,
          call_id: id,
          name,
          arguments: text,
          ...(name !== 'sign' && { namespace: 'library' }),
        },
      ],
      status: 'completed',
    }),
  },
]

/** Simulates the provider's search of the request's deferred tools, and decodes the reply. */
export function searchAndCall(
  { wire, model, reply }: SearchingAPI,
  request: LMRequest,
  call: RawToolCall,
  query: string,
): LMResponse {
  return wire.decode(reply(call, query === '' ? [] : find(request, query), query), request, model)
}

const MAX_FOUND = 5

/** Returns the first deferred tools whose names start with the words of the query. */
export function find({ search }: LMRequest, query: string): NonNullable<LMRequest['tools']> {
  const start = query.replaceAll(' ', '_')
  return (search?.tools ?? []).filter(({ function: spec }) => spec.name.startsWith(start)).slice(0, MAX_FOUND)
}

function searchBlocks(id: string, found: NonNullable<LMRequest['tools']>, query: string): readonly object[] {
  const tool_references = found.map(({ function: { name } }) => ({ type: 'tool_reference', tool_name: name }))
  return [
    { type: 'server_tool_use', id, name: 'tool_search_tool_bm25', input: { query } },
    { type: 'tool_search_tool_result', tool_use_id: id, content: { type: 'tool_search_tool_search_result', tool_references } },
  ]
}

function searchItems(id: string, found: NonNullable<LMRequest['tools']>, query: string): readonly object[] {
  const shared = { execution: 'server', call_id: null, status: 'completed' }
  const tools = found.map(({ function: spec }) => ({ type: 'function', ...spec, strict: false, defer_loading: true }))
  return [
    { type: 'tool_search_call', id: `ts_${id}`, ...shared, arguments: { query, paths: ['library'] } },
    { type: 'tool_search_output', id: `to_${id}`, ...shared, tools: [{ type: 'namespace', name: 'library', tools }] },
  ]
}

type Body = Readonly<Record<string, unknown>>

/**
 * Returns the body as the model reads it: without deferred tools, and with the definition of each found tool in place of a reference to it.
 */
export function asRead(body: Body): Body {
  const { tools } = body
  if (!Array.isArray(tools)) return body
  const all: readonly Body[] = tools
  const byName = new Map(all.map((tool) => [tool.name, tool]))
  const messages: unknown = JSON.parse(
    JSON.stringify(body.messages ?? null, (_, value: unknown) => (isReference(value) ? byName.get(value.tool_name) : value)),
  )
  const read = all.filter(({ defer_loading }) => defer_loading !== true)
  return {
    ...body,
    tools: read.map((tool) => (tool.type === 'namespace' ? { ...tool, tools: undefined } : tool)),
    ...(messages !== null && { messages }),
  }
}

function isReference(value: unknown): value is { readonly tool_name: string } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'tool_reference'
}
