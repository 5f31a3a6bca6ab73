/** The request body of Mistral's chat completions, with the fields that this package writes. */
import type { ToolSpec } from '@x/tool-core'

export interface MistralBody {
  readonly model: string
  readonly messages: MistralMessage[]
  readonly tools?: MistralTool[]
  readonly tool_choice?: MistralChoice
  readonly parallel_tool_calls?: boolean
  readonly response_format?: MistralFormat
  readonly temperature?: number
  readonly top_p?: number
  readonly max_tokens?: number
  readonly stop?: string[]
  readonly random_seed?: number
  readonly reasoning_effort?: string
  readonly presence_penalty?: number
  readonly frequency_penalty?: number
  readonly prompt_cache_key?: string
  readonly stream: boolean
  /** Fields from `providerOptions`, such as `safe_prompt` and `prompt_mode`. */
  readonly [option: string]: unknown
}

export type MistralMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | MistralPart[] }
  | { readonly role: 'assistant'; readonly content: string | MistralBlock[]; readonly tool_calls?: MistralCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly name: string; readonly content: string }

export interface MistralCall {
  /** Exactly nine letters or digits. */
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export type MistralPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: string }
  | { readonly type: 'document_url'; readonly document_url: string; readonly document_name?: string }
  | { readonly type: 'input_audio'; readonly input_audio: string }

/** A part of an assistant message, such as `text`, `thinking` or `reference`. Parts are sent back unchanged. */
export interface MistralBlock {
  readonly type: string
  readonly [field: string]: unknown
}

export interface MistralTool {
  readonly type: 'function'
  readonly function: ToolSpec['function'] & { readonly strict?: boolean }
}

export type MistralChoice = 'auto' | 'none' | 'any' | { readonly type: 'function'; readonly function: { readonly name: string } }

export type MistralFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema'
      readonly json_schema: {
        readonly name: string
        readonly description?: string
        readonly schema: Readonly<Record<string, unknown>>
      }
    }
