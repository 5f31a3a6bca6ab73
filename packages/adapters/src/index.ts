export type {
  Adapter,
  Conversation,
  FieldError,
  FieldErrorCode,
  Observation,
  Parsed,
  ParseOptions,
  RecoveredCall,
  RequestOptions,
  Turn,
} from './adapter.ts'
export { collectDeltas, DeltaCollector } from './collect.ts'
export type { ContentPart, FilePart, ImagePart, MediaSource, TextPart } from './content.ts'
export { toContent } from './content.ts'
export type { Dialect, TextParser } from './dialects/dialect.ts'
export { isOneText } from './fields.ts'
export type { Forgotten } from './forgotten.ts'
export { nativeAdapter } from './native.ts'
export type {
  AssistantMessage,
  Finish,
  LM,
  LMDelta,
  LMOptions,
  LMRequest,
  LMResponse,
  Message,
  Metadata,
  ProviderCall,
  ProviderError,
  RawToolCall,
  ResponseFormat,
  Settings,
  SystemMessage,
  ToolChoice,
  ToolMessage,
  Usage,
  UserMessage,
} from './protocol.ts'
export type { Loss, LossAction } from './shaping/loss.ts'
export type { InputsOf, OutputsOf, Signature } from './signature.ts'
export { defineSignature, fieldKind, isOptionalField, ToolCalls, Tools } from './signature.ts'
export type { TextAdapterOptions } from './text.ts'
export { textAdapter } from './text.ts'
