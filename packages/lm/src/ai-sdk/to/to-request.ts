/**
 * Converts an AI SDK model's call options to an `LMRequest`. Adds a warning for every option that `LMRequest` doesn't support.
 */
import type { LanguageModelV3CallOptions, SharedV3Warning } from '@ai-sdk/provider'
import type { LMRequest, ResponseFormat, ToolChoice } from '@x/adapters'
import { unsupported } from '../losses.ts'
import { optional } from '../read.ts'
import { toMessages } from './to-messages.ts'

type ToolSpec = NonNullable<LMRequest['tools']>[number]

export interface ReadRequest {
  readonly request: LMRequest
  readonly warnings: readonly SharedV3Warning[]
}

/** Converts call options. `provider` is the key of the model's options in `providerOptions`. */
export function toRequest(options: LanguageModelV3CallOptions, provider: string): ReadRequest {
  const warnings: SharedV3Warning[] = []
  const warn = (feature: string, details: string) => warnings.push(unsupported(feature, details))
  const { prompt, responseFormat, tools = [], toolChoice, providerOptions, includeRawChunks, headers = {} } = options
  if (includeRawChunks === true) warn('includeRawChunks', 'The model does not provide raw chunks.')
  const names = Object.keys(headers).filter((name) => name.toLowerCase() !== 'user-agent' && headers[name] !== undefined)
  if (names.length > 0) warn('headers', `Not sent: ${names.join(', ')}. Pass them to createLM.`)
  const request = {
    messages: toMessages(prompt, warn),
    ...readTools(tools, toolChoice, warn),
    ...optional({
      responseFormat: readFormat(responseFormat),
      settings: readSettings(options),
      providerOptions: providerOptions?.[provider] ?? providerOptions?.[provider.split('.')[0] as string],
    }),
  }
  return { request, warnings }
}

function readSettings(options: LanguageModelV3CallOptions): LMRequest['settings'] {
  const { temperature, topP, topK, maxOutputTokens, stopSequences: stop, seed, presencePenalty, frequencyPenalty } = options
  const settings = optional({ temperature, topP, topK, maxOutputTokens, stop, seed, presencePenalty, frequencyPenalty })
  return Object.keys(settings).length === 0 ? undefined : settings
}

function readFormat(format: LanguageModelV3CallOptions['responseFormat']): ResponseFormat | undefined {
  if (format?.type !== 'json') return undefined
  const { schema, name, description } = format
  return { type: 'json', ...optional({ schema: schema as ResponseFormat['schema'], name, description }) }
}

/** Converts the tools. The AI SDK sets strict mode per tool; an `LMRequest` sets it for all tools together. */
function readTools(
  tools: NonNullable<LanguageModelV3CallOptions['tools']>,
  toolChoice: LanguageModelV3CallOptions['toolChoice'],
  warn: (feature: string, details: string) => void,
): Pick<LMRequest, 'tools' | 'toolChoice' | 'strictTools'> {
  const specs: ToolSpec[] = []
  const strict = new Set<boolean | undefined>()
  for (const tool of tools) {
    if (tool.type !== 'function') {
      warn(`provider tool ${tool.id}`, 'Only function tools are sent to the model.')
      continue
    }
    const { name, description = '', inputSchema, inputExamples } = tool
    if (inputExamples !== undefined) warn('inputExamples', `The examples of the tool ${name} are not sent.`)
    strict.add(tool.strict)
    specs.push({
      type: 'function',
      function: { name, description, parameters: inputSchema as ToolSpec['function']['parameters'] },
    })
  }
  if (specs.length === 0) return {}
  if (strict.size > 1 && strict.has(true)) warn('strict', 'Strict mode applies to all tools or none, and not all tools set it.')
  const choice = readChoice(toolChoice)
  return {
    tools: specs,
    ...optional({ toolChoice: choice, strictTools: strict.size === 1 && strict.has(true) ? true : undefined }),
  }
}

function readChoice(choice: LanguageModelV3CallOptions['toolChoice']): ToolChoice | undefined {
  return choice?.type === 'tool' ? { name: choice.toolName } : choice?.type
}
