/** The request body of the Gemini API, with the fields that this package writes. Types only. */

import type { SentEffort } from '../facts/plan-reasoning.ts'
import type { JsonObject } from '../read-json.ts'

export interface GeminiBody {
  contents: GeminiContent[]
  systemInstruction?: { parts: GeminiPart[] }
  tools?: { functionDeclarations: GeminiFunction[] }[]
  toolConfig?: { functionCallingConfig: GeminiCallingConfig }
  generationConfig?: GeminiGenerationConfig
  [option: string]: unknown
}

export interface GeminiContent {
  role: 'user' | 'model'
  parts: GeminiPart[]
}

export interface GeminiPart {
  text?: string
  thought?: boolean
  thoughtSignature?: string
  inlineData?: { mimeType: string; data: string }
  fileData?: { mimeType: string; fileUri: string }
  functionCall?: { id?: string; name?: string; args?: Record<string, unknown> }
  functionResponse?: {
    id?: string
    name: string
    response: Record<string, unknown>
    parts?: Pick<GeminiPart, 'inlineData' | 'fileData'>[]
  }
}

export interface GeminiFunction {
  name: string
  description: string
  parameters?: JsonObject
  parametersJsonSchema?: JsonObject
}

export interface GeminiCallingConfig {
  mode: 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED'
  allowedFunctionNames?: string[]
}

export interface GeminiGenerationConfig {
  temperature?: number
  topP?: number
  topK?: number
  maxOutputTokens?: number
  stopSequences?: string[]
  seed?: number
  presencePenalty?: number
  frequencyPenalty?: number
  thinkingConfig?: { thinkingLevel?: Uppercase<SentEffort>; thinkingBudget?: number }
  responseMimeType?: string
  responseSchema?: JsonObject
  responseJsonSchema?: JsonObject
}
