/** Converts an AI SDK prompt to messages. */
import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { AssistantMessage, Message, Metadata, RawToolCall, UserMessage } from '@x/adapters'
import { ReplyContent } from '../from/reply-content.ts'
import { toPromptPart } from '../from/reply-part.ts'
import { NAMESPACE, splitMetadata } from '../kept.ts'
import { isObject, optional, toJson } from '../read.ts'
import { toFields, toFilePart, toToolMessage, type Warn } from './to-parts.ts'

export function toMessages(prompt: LanguageModelV3Prompt, warn: Warn): readonly Message[] {
  return prompt.flatMap((message) => readMessage(message, warn))
}

/** Converts a message. The AI SDK has one message for all results of a turn; here, each result is its own message. */
function readMessage(message: LanguageModelV3Message, warn: Warn): readonly Message[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user':
      return [toUserMessage(message)]
    case 'assistant':
      return [toAssistantMessage(message, warn)]
    case 'tool':
      return message.content.flatMap((part) => {
        if (part.type === 'tool-result') return [toToolMessage(part, warn)]
        warn(part.type, 'Approval responses for provider-executed tools are not sent.')
        return []
      })
  }
}

type Of<Role extends LanguageModelV3Message['role']> = Extract<LanguageModelV3Message, { role: Role }>

function toUserMessage({ content }: Of<'user'>): UserMessage {
  const parts = content.map((part) => (part.type === 'text' ? { type: 'text' as const, text: part.text } : toFilePart(part)))
  return { role: 'user', ...toFields(parts) }
}

/** Converts an assistant message. Keeps the parts of other providers in their order, as `fromAISDK` does. */
function toAssistantMessage({ content }: Of<'assistant'>, warn: Warn): AssistantMessage {
  const kept = new ReplyContent()
  const toolCalls: RawToolCall[] = []
  let carried: Metadata = {}
  for (const part of content) {
    const own = splitMetadata(part.providerOptions)
    if (isObject(own.carried?.metadata) && part.type === 'reasoning') carried = { ...carried, ...own.carried.metadata }
    // The wire's metadata already contains provider-executed calls of our own models.
    if (own.carried !== undefined && part.type === 'tool-call' && part.providerExecuted === true) continue
    if (part.type === 'text' || part.type === 'reasoning') {
      const open = kept.open(part.type)
      open.text = part.text
      if (own.other !== undefined) open.providerOptions = own.other
    } else if (part.type === 'tool-call' && part.providerExecuted !== true) {
      kept.call(part.toolCallId)
      toolCalls.push({ id: part.toolCallId, name: part.toolName, arguments: toJson(part.input), ...metadataOf(own) })
    } else {
      if (part.type === 'file') warn('file', 'Files from the assistant are sent back only to AI SDK models.')
      const other = toPromptPart(part)
      if (other !== undefined) kept.keep(other)
    }
  }
  const metadata = { ...carried, ...kept.metadata() }
  return {
    role: 'assistant',
    content: kept.text('text'),
    ...optional({
      reasoning: kept.text('reasoning') || undefined,
      toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
      metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    }),
  }
}

function metadataOf({ carried, other }: ReturnType<typeof splitMetadata>): { metadata?: Metadata } {
  const metadata = {
    ...(isObject(carried?.metadata) && carried.metadata),
    ...(other !== undefined && { [NAMESPACE]: { providerOptions: other } }),
  }
  return Object.keys(metadata).length > 0 ? { metadata } : {}
}
