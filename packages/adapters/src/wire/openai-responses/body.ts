/** The request body of the Responses API, with the fields that this package writes. */
import type { SentEffort } from '../facts/plan-reasoning.ts'
import type { Breakpoint } from '../openai-chat/cache.ts'

export interface OpenAIResponsesBody {
  readonly model: string
  readonly input: ResponsesInputItem[]
  readonly tools?: (ResponsesTool | ResponsesNamespace | { readonly type: 'tool_search' })[]
  readonly tool_choice?: 'auto' | 'none' | 'required' | { readonly type: 'function'; readonly name: string }
  readonly parallel_tool_calls?: boolean
  readonly text?: { readonly format: ResponsesFormat }
  readonly temperature?: number
  readonly top_p?: number
  readonly max_output_tokens?: number
  readonly store: boolean
  readonly reasoning?: { readonly effort: SentEffort | 'none' }
  readonly include?: 'reasoning.encrypted_content'[]
  readonly prompt_cache_key?: string
  readonly prompt_cache_options?: { readonly mode: 'explicit' }
  readonly stream?: boolean
  /** Fields from `providerOptions`. */
  readonly [option: string]: unknown
}

/** The kinds of items that this package writes. Items of other kinds are sent back unchanged. */
export type ResponsesInputItem =
  | { readonly role: 'assistant'; readonly content: string }
  | { readonly role: 'system'; readonly content: string | ResponsesPart[] }
  | { readonly type: 'message'; readonly role: 'assistant'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | ResponsesPart[] }
  | {
      readonly type: 'function_call'
      readonly call_id: string
      readonly name: string
      readonly arguments: string
      readonly namespace?: string
    }
  | { readonly type: 'function_call_output'; readonly call_id: string; readonly output: string | ResponsesPart[] }

export type ResponsesPart = Breakpoint &
  (
    | { readonly type: 'input_text'; readonly text: string }
    | { readonly type: 'input_image'; readonly image_url: string; readonly detail: 'auto' }
    | { readonly type: 'input_file'; readonly filename: string; readonly file_data: string }
    | { readonly type: 'input_file'; readonly file_url: string }
  )

export interface ResponsesTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly parameters: Record<string, unknown>
  readonly strict: boolean
  /** True to leave the schema out of the prompt until a search finds the tool. */
  readonly defer_loading?: boolean
}

/** A group of tools. If the tools are deferred, the prompt contains only the description of the group. */
export interface ResponsesNamespace {
  readonly type: 'namespace'
  readonly name: string
  readonly description: string
  readonly tools: ResponsesTool[]
}

export type ResponsesFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly name: string
      readonly description?: string
      readonly schema: Record<string, unknown>
      readonly strict: boolean
    }
