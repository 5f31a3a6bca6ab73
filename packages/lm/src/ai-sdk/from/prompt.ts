/** Converts messages to an AI SDK prompt. Each message is converted only once. */
import type { AssistantMessage, Loss, Message, RawToolCall, ToolMessage, UserMessage } from '@x/adapters'
import { keptContent, keptOptions } from '../kept.ts'
import type { Lose } from '../losses.ts'
import { isObject, type Json, parseJson, stringAt } from '../read.ts'
import { toFilePart, toResultOutput } from './prompt-parts.ts'
import type { Version } from './versions.ts'

export type ToPrompt = (messages: readonly Message[], lose: Lose) => readonly Json[]

/** Creates a function that converts messages. It caches the result of each message, together with the losses. */
export function createToPrompt(version: Version): ToPrompt {
  const known = new WeakMap<Message, { readonly message: Json; readonly losses: readonly Loss[] }>()
  return (messages, lose) => {
    const prompt: Json[] = []
    for (const [index, message] of messages.entries()) {
      let conversion = known.get(message)
      if (conversion === undefined) {
        const losses: Loss[] = []
        conversion = { message: toPromptMessage(message, version, (loss) => losses.push(loss)), losses }
        known.set(message, conversion)
      }
      for (const loss of conversion.losses) lose({ ...loss, path: `/messages/${index}${loss.path}` })
      append(prompt, conversion.message)
    }
    return prompt
  }
}

/** Adds a message to the prompt. Consecutive tool results are merged into one message. */
function append(prompt: Json[], message: Json): void {
  const last = prompt.at(-1)
  if (message.role !== 'tool' || last?.role !== 'tool') prompt.push(message)
  else prompt[prompt.length - 1] = { ...last, content: [...(last.content as Json[]), ...(message.content as Json[])] }
}

function toPromptMessage(message: Message, version: Version, lose: Lose): Json {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: toUserContent(message, version, lose) }
    case 'assistant':
      return { role: 'assistant', content: toAssistantContent(message, version, lose) }
    case 'tool':
      return { role: 'tool', content: [toResultPart(message, version, lose)] }
  }
}

function toUserContent({ content, parts }: UserMessage, version: Version, lose: Lose): readonly Json[] {
  if (parts === undefined) return [{ type: 'text', text: content }]
  return parts.map((part, index) =>
    part.type === 'text' ? { type: 'text', text: part.text } : toFilePart(part, version, `/parts/${index}`, lose),
  )
}

function toResultPart(message: ToolMessage, version: Version, lose: Lose): Json {
  const { callId, name } = message
  return { type: 'tool-result', toolCallId: callId, toolName: name, output: toResultOutput(message, version, lose) }
}

/**
 * Returns the content of an assistant message. If the message hasn't changed, these are the provider's own parts. Otherwise,
 * these are the parts that exist only there (signed reasoning, provider-executed calls, files), followed by the message's text
 * and calls.
 */
function toAssistantContent(message: AssistantMessage, version: Version, lose: Lose): readonly Json[] {
  const { content, reasoning, toolCalls = [] } = message
  const calls = toolCalls.map((call, index) => toCallPart(call, `/toolCalls/${index}`, lose))
  const kept = keptContent(message)
  if (isUnchanged(message, kept)) {
    let place = 0
    return kept.map((part) => (isReference(part) ? (calls[place++] as Json) : toContentPart(part, version)))
  }
  const text = content === '' ? [] : [{ type: 'text', text: content }]
  if (kept.length === 0) return [...(reasoning ? [{ type: 'reasoning', text: reasoning }] : []), ...text, ...calls]
  const others = kept.filter((part) => part.type !== 'text' && !isReference(part))
  return [...others.map((part) => toContentPart(part, version)), ...text, ...calls]
}

function isUnchanged({ content, toolCalls = [] }: AssistantMessage, kept: readonly Json[]): boolean {
  const texts = kept.map((part) => (part.type === 'text' ? stringAt(part, 'text') : ''))
  const ids = kept.filter(isReference).map((part) => part.toolCallId)
  const isSame = ids.length === toolCalls.length && toolCalls.every(({ id }, index) => id === ids[index])
  return kept.length > 0 && isSame && texts.join('') === content
}

function isReference({ type, providerExecuted }: Json): boolean {
  return type === 'tool-call' && providerExecuted !== true
}

function toContentPart(part: Json, version: Version): Json {
  if (part.type !== 'file' && part.type !== 'reasoning-file') return part
  const url = stringAt(part.data, 'url')
  const source = url !== undefined && URL.canParse(url) ? { url } : { base64: stringAt(part.data, 'base64') ?? '' }
  return { ...part, data: version.fileData(source) }
}

/**
 * Converts a call. The AI SDK accepts only parsed arguments, so `{}` is sent if the text isn't a JSON object. Such a call was
 * never executed.
 */
function toCallPart(call: RawToolCall, path: string, lose: Lose): Json {
  const value = call.arguments.trim() === '' ? {} : parseJson(call.arguments)
  if (!isObject(value)) lose({ path: `${path}/arguments`, keyword: 'arguments', action: 'dropped', note: 'sent as {}' })
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.name,
    input: isObject(value) ? value : {},
    ...keptOptions(call),
  }
}
