/** The request body of Ollama's own chat API, with the fields that this package writes. */
import type { ToolSpec } from '@x/tool-core'

export interface OllamaBody {
  readonly model: string
  readonly messages: OllamaMessage[]
  readonly tools?: ToolSpec[]
  /** `json` for any JSON object, or a JSON Schema. */
  readonly format?: 'json' | Readonly<Record<string, unknown>>
  readonly options?: OllamaOptions
  readonly think?: boolean | string
  /** True to stream the reply. The API's default is true. */
  readonly stream: boolean
  /** Fields from `providerOptions`, such as `think` and `keep_alive`. */
  readonly [option: string]: unknown
}

export interface OllamaOptions {
  readonly temperature?: number
  readonly top_p?: number
  readonly top_k?: number
  readonly num_predict?: number
  readonly stop?: string[]
  readonly seed?: number
  readonly presence_penalty?: number
  readonly frequency_penalty?: number
  /** Options from `providerOptions`, such as `num_ctx`. */
  readonly [option: string]: unknown
}

export type OllamaMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly images?: string[] }
  | { readonly role: 'assistant'; readonly content: string; readonly thinking?: string; readonly tool_calls?: OllamaCall[] }
  | { readonly role: 'tool'; readonly tool_name: string; readonly content: string; readonly images?: string[] }

/** A call. It has no id, so results are matched to calls by name and order. */
export interface OllamaCall {
  readonly function: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }
}
