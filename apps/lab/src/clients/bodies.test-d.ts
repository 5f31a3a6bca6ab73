/** The official clients' request types accept the bodies that our wire formats encode. */
import type Anthropic from '@anthropic-ai/sdk'
import type { GenerateContentParameters, ThinkingLevel } from '@google/genai'
import type { LMRequest } from '@x/adapters'
import { anthropicMessages, gemini, openaiChat, openaiResponses } from '@x/adapters/wire'
import type OpenAI from 'openai'
import { assertType } from 'vitest'

declare const request: LMRequest

assertType<OpenAI.Chat.Completions.ChatCompletionCreateParams>(openaiChat.encode(request, 'm'))
const { stream, ...whole } = openaiResponses.encode(request, 'm')
assertType<OpenAI.Responses.ResponseCreateParamsNonStreaming>(whole)
assertType<Anthropic.MessageCreateParams>(anthropicMessages.encode(request, 'm'))
// The client nests the body's fields differently, and has its own enums for the function calling mode and the thinking level.
const { contents, systemInstruction = '', tools = [], generationConfig = {} } = gemini.encode(request, 'm')
const { thinkingConfig, ...config } = generationConfig
assertType<GenerateContentParameters>({ model: 'm', contents, config: { ...config, systemInstruction, tools } })
assertType<`${ThinkingLevel}` | undefined>(thinkingConfig?.thinkingLevel)
