/** Test helpers: an agent whose model runs one program. */

import { defineSignature, type LM } from '@x/adapters'
import { createReactAgent } from '@x/react-agent'
import { defineTool, type Effect, type Tool } from '@x/tool-core'
import * as Type from 'typebox'
import { type CodeToolOptions, type CodeTools, codeTool } from '../src/index.ts'

export const signature = defineSignature({
  instructions: 'Answer.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})

/** Its model answers as soon as the program has a result, so that it can also continue in another process. */
export async function openAgent(code: string, tools: CodeTools, options: CodeToolOptions = {}) {
  // The default limit includes time in which a busy machine doesn't execute the program.
  return await agentWith(codeTool(tools, { ...options, limits: { timeMs: 600_000, ...options.limits } }), code)
}

async function agentWith(tool: Tool, code: string) {
  const toolCalls = [{ id: 'c1', name: 'run_code', arguments: JSON.stringify({ code }) }]
  const lm: LM = {
    generate: async ({ messages }) =>
      messages.some(({ role }) => role === 'tool') ? { text: 'Done.', toolCalls: [] } : { text: '', toolCalls },
  }
  return await createReactAgent({ lm, tools: [tool], signature, name: 'coder' })
}

type Agent = Awaited<ReturnType<typeof openAgent>>

/** Returns the text that the model reads as the result of the program. */
export const textOf = ({ trajectory }: { trajectory: { messages: readonly object[] } }): string =>
  trajectory.messages.flatMap((message) => ('callId' in message && 'content' in message ? [String(message.content)] : []))[0] ??
  ''

/** Runs a program without pauses, and returns what the model reads. */
export async function runCode(
  code: string,
  tools: CodeTools = [],
  options: CodeToolOptions = {},
  run: Parameters<Agent['run']>[1] = {},
) {
  const agent = await openAgent(code, tools, options)
  return textOf(await agent.run({ question: '?' }, { id: 'r', ...run }))
}

/** Like `runCode`, for a tool that exists. */
export async function runTool(tool: object, code: string) {
  const agent = await agentWith(tool as Tool, code)
  return textOf(await agent.run({ question: '?' }, { id: 'r' }))
}

/** Like `runCode`, and parses the result. */
export async function resultOf(...parts: Parameters<typeof runCode>): Promise<unknown> {
  const text = await runCode(...parts)
  try {
    return (JSON.parse(text) as { result: unknown }).result
  } catch {
    throw new Error(text)
  }
}

export interface LoggedOptions {
  readonly effect?: Effect
  readonly needsApproval?: boolean
  readonly log?: string[]
  readonly execute?: (value: number) => unknown
}

/** A tool that takes a number and returns it. */
export function numberTool(
  name: string,
  { effect = 'read', needsApproval = false, log = [], execute = (value) => ({ value }) }: LoggedOptions = {},
): Tool {
  return defineTool({
    name,
    description: `The tool ${name}.`,
    args: Type.Object({ value: Type.Number() }),
    effect,
    needsApproval,
    execute: ({ value }) => {
      log.push(`${name} ${value}`)
      return execute(value)
    },
  }) as unknown as Tool
}
