/**
 * Calls the AI SDK's loops through types that cover only what these tests need. Inferring the AI SDK's own types takes longer than checking
 * all of our code.
 */
import type { LanguageModelV3 } from '@ai-sdk/provider'
import * as ai from 'ai'

export interface LoopOptions {
  readonly model: LanguageModelV3
  readonly prompt?: string
  readonly messages?: readonly object[]
  readonly tools?: Readonly<Record<string, object>>
  readonly maxSteps?: number
  readonly temperature?: number
  readonly abortSignal?: AbortSignal
}

export interface Loop {
  readonly text: string
  readonly toolCalls: readonly object[]
  readonly steps: readonly { readonly finishReason: string }[]
  readonly usage: object
}

export async function runWhole({ maxSteps = 1, ...options }: LoopOptions): Promise<Loop> {
  const generateText = ai.generateText as unknown as (options: object) => Promise<Loop>
  return generateText({ ...options, stopWhen: ai.stepCountIs(maxSteps) })
}

export async function runStreamed({ maxSteps = 1, ...options }: LoopOptions): Promise<Loop> {
  const streamText = ai.streamText as unknown as (options: object) => { readonly [Key in keyof Loop]: PromiseLike<Loop[Key]> }
  const run = streamText({ ...options, stopWhen: ai.stepCountIs(maxSteps), onError() {} })
  return { text: await run.text, toolCalls: await run.toolCalls, steps: await run.steps, usage: await run.usage }
}

/** Creates an AI SDK tool with one string argument. */
export function textTool(name: string, execute: (text: string) => unknown): object {
  const schema = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] } as const
  const run = (args: Readonly<Record<string, string>>) => execute(args[name] ?? '')
  return { description: 'Current weather for a city.', inputSchema: ai.jsonSchema(schema), execute: run }
}
