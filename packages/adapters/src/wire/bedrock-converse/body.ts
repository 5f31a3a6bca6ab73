/** The request body of Bedrock's Converse API, with the fields that this package writes. Binary data is in base64. Types only. */

export interface BedrockBody {
  readonly messages: BedrockTurn[]
  readonly system?: (TextBlock | CachePointBlock)[]
  readonly inferenceConfig?: {
    readonly maxTokens?: number
    readonly temperature?: number
    readonly topP?: number
    readonly stopSequences?: string[]
  }
  readonly toolConfig?: BedrockToolConfig
  readonly outputConfig?: BedrockOutputConfig
  /** Fields that only some models accept. */
  readonly additionalModelRequestFields?: Record<string, unknown>
  readonly [option: string]: unknown
}

export interface BedrockTurn {
  readonly role: 'user' | 'assistant'
  readonly content: BedrockBlock[]
}

/** The kinds of blocks that this package writes. Blocks of other kinds are sent back unchanged. */
export type BedrockBlock = PartBlock | ToolUseBlock | ToolResultBlock | CachePointBlock

export type PartBlock = TextBlock | ImageBlock | DocumentBlock | VideoBlock

/** Marks a cache breakpoint: the prompt is cached up to this point. */
export interface CachePointBlock {
  readonly cachePoint: { readonly type: 'default' }
}

export interface TextBlock {
  readonly text: string
}

export interface ImageBlock {
  readonly image: { readonly format: ImageFormat; readonly source: MediaBytes }
}

export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp'

export interface DocumentBlock {
  readonly document: { readonly format: DocumentFormat; readonly name: string; readonly source: MediaBytes }
}

export type DocumentFormat = 'pdf' | 'csv' | 'doc' | 'docx' | 'xls' | 'xlsx' | 'html' | 'txt' | 'md'

export interface VideoBlock {
  readonly video: { readonly format: VideoFormat; readonly source: MediaBytes }
}

export type VideoFormat = 'mkv' | 'mov' | 'mp4' | 'webm' | 'flv' | 'mpeg' | 'wmv' | 'three_gp'

export type MediaBytes = { readonly bytes: string } | { readonly s3Location: { readonly uri: string } }

export interface ToolUseBlock {
  readonly toolUse: { readonly toolUseId: string; readonly name: string; readonly input: Record<string, unknown> }
}

export interface ToolResultBlock {
  readonly toolResult: { readonly toolUseId: string; readonly content: PartBlock[]; readonly status?: 'error' }
}

export interface BedrockToolConfig {
  readonly tools: (BedrockTool | CachePointBlock)[]
  readonly toolChoice?: { readonly any: object } | { readonly tool: { readonly name: string } }
}

export interface BedrockTool {
  readonly toolSpec: {
    readonly name: string
    readonly description?: string
    readonly inputSchema: { readonly json: Record<string, unknown> }
    readonly strict?: boolean
  }
}

export interface BedrockOutputConfig {
  readonly textFormat: {
    readonly type: 'json_schema'
    readonly structure: {
      readonly jsonSchema: { readonly schema: string; readonly name: string; readonly description?: string }
    }
  }
}
