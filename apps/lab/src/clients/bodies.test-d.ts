/** The official clients' request types accept the bodies that our wire formats encode. */
import type Anthropic from '@anthropic-ai/sdk'
import type { GenerateContentParameters } from '@google/genai'
import type { LMRequest } from '@x/adapters'
import { anthropicMessages, gemini, openaiChat, openaiResponses } from '@x/adapters/wire'
import type OpenAI from 'openai'
import { assertType } from 'vitest'

declare const request: LMRequest

assertType<OpenAI.Chat.Completions.ChatCompletionCreateParams>(openaiChat.encode(request, 'm'))
const { stream, ...whole } = openaiResponses.encode(request, 'm')
assertType<OpenAI.Responses.ResponseCreateParamsNonStreaming>(whole)
assertType<Anthropic.MessageCreateParams>(anthropicMessages.encode(request, 'm'))
// The client nests the body's fields differently, and has its own enum for the function calling mode.
const { contents, systemInstruction = '', tools = [], generationConfig } = gemini.encode(request, 'm')
assertType<GenerateContentParameters>({ model: 'm', contents, config: { ...generationConfig, systemInstruction, tools } })
