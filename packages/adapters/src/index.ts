export type { ContentPart, FilePart, ImagePart, MediaSource, TextPart } from '@x/tool-core'
export type { AdapterErrorCode, AdapterErrorOptions } from './adapter-error.ts'
export { AdapterError, isAdapterError } from './adapter-error.ts'
export type {
  Adapter,
  Conversation,
  FieldError,
  FieldErrorCode,
  FieldReader,
  FieldText,
  Observation,
  Parsed,
  ParseOptions,
  RecoveredCall,
  RecoveredField,
  RequestOptions,
  Revealed,
  Turn,
} from './adapters/adapter.ts'
export { chatAdapter } from './adapters/chat.ts'
export type { CustomAdapterOptions } from './adapters/custom.ts'
export { customAdapter } from './adapters/custom.ts'
export { defaultAdapter, setDefaultAdapter } from './adapters/default-adapter.ts'
export { jsonAdapter } from './adapters/json.ts'
export { nativeAdapter } from './adapters/native.ts'
export type { TextAdapterOptions } from './adapters/text.ts'
export { textAdapter } from './adapters/text.ts'
export type { Dialect, TextParser } from './dialects/define/dialect.ts'
export { collectDeltas, DeltaCollector } from './protocol/collect.ts'
export { toContent } from './protocol/content.ts'
export { toDeltas } from './protocol/deltas.ts'
export type { Forgotten } from './protocol/forgotten.ts'
export type {
  AssistantMessage,
  CachePoint,
  FinishReason,
  LM,
  LMDelta,
  LMOptions,
  LMRequest,
  LMResponse,
  Message,
  Metadata,
  OutputLimit,
  ProviderCall,
  ProviderError,
  ProviderSearch,
  RawToolCall,
  ReasoningSetting,
  ResponseFormat,
  Settings,
  SystemMessage,
  ToolChoice,
  ToolMessage,
  Usage,
  UserMessage,
} from './protocol/protocol.ts'
export type { Loss, LossAction } from './shaping/loss.ts'
export type { DefineSignature, TextSignatureOptions } from './signature/define-signature.ts'
export { defineSignature, readSignature } from './signature/define-signature.ts'
export { isOneText } from './signature/fields.ts'
export type { MediaFieldOptions } from './signature/media-fields.ts'
export { File, Image, mediaFieldFault } from './signature/media-fields.ts'
export type { OutputsSchema } from './signature/outputs-schema.ts'
export { outputsSchema } from './signature/outputs-schema.ts'
export type { InputsOf, OutputsOf, Signature, SignatureExample } from './signature/signature.ts'
export type { SignatureIn } from './signature/signature-types.ts'
export type { FieldKind } from './signature/tool-fields.ts'
export { fieldKind, isOptionalField, Tool, ToolCalls, Tools } from './signature/tool-fields.ts'
export type { ModelFacts } from './wire/facts/model-facts.ts'
export type { OpenAIChatHostName } from './wire/openai-chat/host-name.ts'
export type { EncodeOptions, WireFormat } from './wire/wire-format.ts'
