export type { OpenAIChatBody } from './openai-chat.ts'
export { openaiChat } from './openai-chat.ts'
export type { EncodeOptions, StreamDecoder, WireFormat } from './wire-format.ts'
