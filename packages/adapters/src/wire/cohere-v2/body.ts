/** The request body of Cohere's chat API, version 2, with the fields that this package writes. */
import type { ToolSpec } from '@x/tool-core'

export interface CohereBody {
  readonly model: string
  readonly messages: CohereMessage[]
  readonly tools?: ToolSpec[]
  readonly tool_choice?: 'REQUIRED' | 'NONE'
  readonly strict_tools?: boolean
  readonly response_format?: {
    readonly type: 'json_object'
    readonly json_schema?: Readonly<Record<string, unknown>>
  }
  readonly temperature?: number
  readonly p?: number
  readonly k?: number
  readonly max_tokens?: number
  readonly stop_sequences?: string[]
  readonly seed?: number
  readonly presence_penalty?: number
  readonly frequency_penalty?: number
  readonly thinking?: { readonly type: 'enabled' | 'disabled'; readonly token_budget?: number }
  readonly stream: boolean
  /** Fields from `providerOptions`, such as `documents`, `safety_mode` and `citation_options`. */
  readonly [option: string]: unknown
}

export type CohereMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | CoherePart[] }
  | CohereTurn
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface CohereTurn {
  readonly role: 'assistant'
  readonly content?: string | CohereBlock[]
  readonly tool_plan?: string
  readonly tool_calls?: CohereCall[]
}

export interface CohereCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export type CoherePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** A part of an assistant message. Parts are sent back unchanged. */
export type CohereBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string }
