export type {
  Adapter,
  Conversation,
  FieldError,
  FieldErrorCode,
  Observation,
  Parsed,
  ParseOptions,
  RecoveredCall,
  RecoveredField,
  RequestOptions,
  Revealed,
  Turn,
} from './adapter.ts'
export type { AdapterErrorCode, AdapterErrorOptions } from './adapter-error.ts'
export { AdapterError, isAdapterError } from './adapter-error.ts'
export { chatAdapter } from './chat.ts'
export { collectDeltas, DeltaCollector } from './collect.ts'
export type { ContentPart, FilePart, ImagePart, MediaSource, TextPart } from './content.ts'
export { toContent } from './content.ts'
export type { CustomAdapterOptions } from './custom.ts'
export { customAdapter } from './custom.ts'
export { defaultAdapter, setDefaultAdapter } from './default-adapter.ts'
export type { DefineSignature, TextSignatureOptions } from './define-signature.ts'
export { defineSignature } from './define-signature.ts'
export type { Dialect, TextParser } from './dialects/dialect.ts'
export type { FieldReader, FieldText } from './field-reader.ts'
export { isOneText } from './fields.ts'
export type { Forgotten } from './forgotten.ts'
export { jsonAdapter } from './json.ts'
export { nativeAdapter } from './native.ts'
export type { OutputsSchema } from './outputs-schema.ts'
export { outputsSchema } from './outputs-schema.ts'
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
export type { InputsOf, OutputsOf, Signature, SignatureExample } from './signature.ts'
export type { SignatureIn } from './signature-types.ts'
export type { TextAdapterOptions } from './text.ts'
export { textAdapter } from './text.ts'
export type { FieldKind } from './tool-fields.ts'
export { fieldKind, isOptionalField, Tool, ToolCalls, Tools } from './tool-fields.ts'
