/** State that is shared by the handlers of one HTTP request or one stdio connection. */
import type { CallToolResult, McpRequestContext, RequestStateCodec } from '@modelcontextprotocol/server'
import type { ServerSettings } from './options.ts'
import type { QuestionState } from './questions.ts'
import type { ServedTools } from './served-tools.ts'

export type Sdk = typeof import('@modelcontextprotocol/server')

export interface Connection {
  readonly sdk: Sdk
  readonly tools: ServedTools
  readonly settings: ServerSettings
  readonly codec: RequestStateCodec<QuestionState>
  readonly era: McpRequestContext['era']
  readonly values: object | undefined
  /**
   * Returns the reason, for the model, why a client on an earlier revision can't be asked. Returns undefined if it can be asked.
   */
  whyNotAsked(): string | undefined
  /** Converts a result with structured content to the form that the client's protocol revision requires. */
  project(result: CallToolResult, outputSchema: object | undefined): CallToolResult
}

export type Shared = Pick<Connection, 'sdk' | 'tools' | 'settings' | 'codec'>
