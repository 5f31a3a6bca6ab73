/** The corpora's format for a recorded reply with its expected reading. Absent keys aren't asserted. */

export interface WireCase {
  readonly id: string
  /** The wire format's name. */
  readonly dialect: string
  readonly http_status?: number
  readonly body?: unknown
  readonly chunks?: readonly unknown[]
  readonly expected: ExpectedReply
}

export interface ExpectedReply {
  readonly text?: string | null
  readonly tool_calls?: readonly ExpectedCall[]
  readonly finish_reason?: string | null
  readonly finish?: string | null
  readonly usage?: ExpectedUsage | null
  /** The provider's own token counts. */
  readonly usage_raw?: unknown
  readonly reasoning?: string | null
  readonly refusal?: string | null
  readonly error?: { readonly code?: unknown; readonly type?: unknown } | null
  readonly tool_plan?: string
  readonly finish_message?: string
  readonly other_calls?: readonly ExpectedProviderCall[] | null
}

export interface ExpectedProviderCall {
  readonly type: string
  readonly id?: string | null
  readonly name?: string | null
  readonly by?: 'provider' | 'client'
}

export interface ExpectedUsage {
  readonly input_tokens?: number | null
  readonly output_tokens?: number | null
}

export interface ExpectedCall {
  /** Null means any generated id. */
  readonly id?: string | null
  readonly name?: string | null
  /** Null means that the arguments aren't a valid object. */
  readonly arguments?: object | null
  readonly error?: ArgumentsError
  readonly arguments_raw?: string
  readonly truncated?: boolean
  readonly item_id?: string
  readonly namespace?: string
  readonly thought_signature?: string
}

export type ArgumentsError = 'truncated_json' | 'invalid_json' | 'missing_name' | 'not_object'
