/** Tools and sources for tests. */
import { type CallOptions, callTool, type Tool, ToolError, type ToolSource } from '@x/tool-core'
import * as Type from 'typebox'
import { type DerivedSource, NOTHING_TO_CLOSE } from '../src/wrappers/source.ts'
import { defineTool } from './loose.ts'

const args = Type.Object({ text: Type.Optional(Type.String()) })

/** Creates a tool that returns its original name and the given text, even if wrappers rename it. */
export function echo(name: string): Tool {
  return defineTool({ name, description: `Echoes as ${name}.`, args, execute: ({ text = '' }) => `${name}:${text}` })
}

export function sourceOf(name: string, ...tools: readonly (string | Tool)[]): DerivedSource<readonly Tool[]> {
  const list = tools.map((tool) => (typeof tool === 'string' ? echo(tool) : tool))
  return { name, tools: () => list, ...NOTHING_TO_CLOSE }
}

export function asyncSourceOf(name: string, ...tools: readonly string[]): DerivedSource<Promise<readonly Tool[]>> {
  const source = sourceOf(name, ...tools)
  return { name, tools: async () => source.tools(), ...NOTHING_TO_CLOSE }
}

/** Creates a source that records when it is opened and closed. */
export function loggedSource(name: string, log: string[], failing: 'open' | 'close' | 'nothing' = 'nothing'): ToolSource {
  const change = (kind: 'open' | 'close') => async () => {
    log.push(`${kind} ${name}`)
    if (failing === kind) throw new Error(`${name} did not ${kind}`)
  }
  return { ...sourceOf(name), open: change('open'), close: change('close') }
}

export function namesOf(tools: readonly Tool[]): readonly string[] {
  return tools.map(({ name }) => name)
}

export function call(tools: readonly Tool[], name: string, args: Record<string, unknown> = {}, options?: CallOptions) {
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool === undefined) throw new Error(`no tool ${name} among ${namesOf(tools)}`)
  return callTool(tool, { id: '1', name, args }, options)
}

/** Returns the message of the `invalid_definition` error that a function throws. */
export function definitionError(cause: () => unknown): string {
  try {
    cause()
  } catch (error) {
    if (error instanceof ToolError && error.code === 'invalid_definition') return error.message
    throw error
  }
  throw new Error('nothing was thrown')
}
