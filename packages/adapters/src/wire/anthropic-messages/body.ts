/** The request body of the Messages API, with the fields that this package writes. Types only. */

export interface AnthropicBody {
  readonly model: string
  readonly max_tokens: number
  readonly messages: AnthropicTurn[]
  readonly system?: string | TextBlock[]
  readonly tools?: (AnthropicTool | AnthropicToolSearch)[]
  readonly tool_choice?: AnthropicChoice
  readonly temperature?: number
  readonly top_p?: number
  readonly top_k?: number
  readonly stop_sequences?: string[]
  readonly thinking?:
    | { readonly type: 'adaptive' }
    | { readonly type: 'enabled'; readonly budget_tokens: number }
    | { readonly type: 'disabled' }
  readonly output_config?: {
    readonly effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max'
    readonly format?: { readonly type: 'json_schema'; readonly schema: Record<string, unknown> }
  }
  /** Id of the container to resume. The provider's code is waiting in it for the results in this request. */
  readonly container?: string
  readonly stream?: boolean
  readonly [option: string]: unknown
}

export interface AnthropicTurn {
  readonly role: 'user' | 'assistant'
  readonly content: AnthropicBlock[]
}

/** The kinds of blocks that this package writes. Blocks of other kinds are sent back unchanged. */
export type AnthropicBlock = PartBlock | ToolUseBlock | ToolResultBlock

export type PartBlock = TextBlock | ImageBlock | DocumentBlock

/** Marks a block as a cache breakpoint: the prompt is cached up to the end of this block. */
export interface Cached {
  readonly cache_control?: { readonly type: 'ephemeral' }
}

export interface TextBlock extends Cached {
  readonly type: 'text'
  readonly text: string
}

export interface ImageBlock extends Cached {
  readonly type: 'image'
  readonly source: { readonly type: 'base64'; readonly media_type: ImageType; readonly data: string } | UrlSource
}

export type ImageType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

export interface DocumentBlock extends Cached {
  readonly type: 'document'
  readonly source:
    | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
    | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string }
    | UrlSource
  readonly title?: string
}

interface UrlSource {
  readonly type: 'url'
  readonly url: string
}

export interface ToolUseBlock extends Cached {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: Record<string, unknown>
}

export interface ToolResultBlock extends Cached {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content?: string | PartBlock[]
  readonly is_error?: boolean
}

export interface AnthropicTool extends Cached {
  readonly name: string
  readonly description?: string
  readonly input_schema: { readonly type: 'object'; readonly [keyword: string]: unknown }
  readonly strict?: boolean
  /** True to leave the tool out of the prompt until a search finds it. */
  readonly defer_loading?: boolean
}

/** The provider's own tool for searching deferred tools. */
export interface AnthropicToolSearch {
  readonly type: 'tool_search_tool_bm25_20251119'
  readonly name: 'tool_search_tool_bm25'
}

export type AnthropicChoice =
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'none' }
