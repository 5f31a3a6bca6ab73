/** The request body of Chat Completions, with the fields that this package writes. */
import type { ToolSpec } from '@x/tool-core'
import type { Breakpoint } from './cache.ts'

export interface OpenAIChatBody {
  readonly model: string
  readonly messages: OpenAIChatMessage[]
  readonly tools?: (ToolSpec | StrictToolSpec)[]
  readonly tool_choice?: OpenAIChatChoice
  readonly parallel_tool_calls?: boolean
  readonly response_format?: OpenAIChatFormat
  readonly temperature?: number
  readonly top_p?: number
  readonly max_completion_tokens?: number
  readonly max_tokens?: number
  readonly stop?: string[]
  readonly seed?: number
  readonly presence_penalty?: number
  readonly frequency_penalty?: number
  readonly prompt_cache_key?: string
  readonly prompt_cache_options?: { readonly mode: 'explicit' }
  readonly stream?: boolean
  readonly stream_options?: { readonly include_usage: boolean }
  /** Fields for a single host, and fields from `providerOptions`. */
  readonly [option: string]: unknown
}

export type OpenAIChatMessage =
  | { readonly role: 'system'; readonly content: string | OpenAIChatText[] }
  | { readonly role: 'user'; readonly content: string | OpenAIChatPart[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string | OpenAIChatText[] }
  | OpenAIChatAssistantMessage

export interface OpenAIChatAssistantMessage {
  readonly role: 'assistant'
  readonly content: string | null
  readonly tool_calls?: OpenAIChatCall[]
  /** Fields that the host must receive back, such as `reasoning_content`, `reasoning_details` and `extra_content`. */
  readonly [field: string]: unknown
}

export interface OpenAIChatCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
  readonly [field: string]: unknown
}

export interface OpenAIChatText extends Breakpoint {
  readonly type: 'text'
  readonly text: string
}

export type OpenAIChatPart = OpenAIChatText | (OpenAIChatMedia & Breakpoint)

type OpenAIChatMedia =
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | { readonly type: 'input_audio'; readonly input_audio: { readonly data: string; readonly format: 'wav' | 'mp3' } }
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } }

export type OpenAIChatChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } }

export type OpenAIChatFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly json_schema: {
        readonly name: string
        readonly description?: string
        readonly schema: Record<string, unknown>
        readonly strict: boolean
      }
    }

export interface StrictToolSpec {
  readonly type: 'function'
  readonly function: ToolSpec['function'] & { readonly strict: true }
}
