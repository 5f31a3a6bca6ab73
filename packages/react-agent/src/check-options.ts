/** What an agent is made from, checked before anything is opened: a mistake here is the programmer's. */
import { fieldKind, type LM, type Signature } from '@x/adapters'
import type { ToolResolver } from '@x/tool-core'
import { AgentError } from './errors.ts'
import type { AgentTool } from './open-tools.ts'

export interface CheckedOptions {
  readonly lm: LM
  readonly signature: Signature
  readonly tools: ToolResolver | readonly AgentTool[]
  readonly search?: unknown
  readonly maxRevealed: number
}

/** Throws `invalid_options` with the option's name and what it should be. */
export function assertOptions({ lm, signature, tools, search, maxRevealed }: CheckedOptions): void {
  if (!hasMethod(lm, 'generate')) throw invalid('lm', 'an LM, e.g. createLM({ wire, baseURL, model })')
  if (typeof signature?.outputs !== 'object') throw invalid('signature', 'made by defineSignature')
  if (!Array.isArray(tools) && !hasMethod(tools, 'resolveFor')) throw invalid('tools', 'a registry, or a list of tools')
  if (search !== undefined && !(hasMethod(search, 'search') && hasMethod(search, 'resolveFor')))
    throw invalid('search', 'a registry made by createRegistry')
  if (!Number.isInteger(maxRevealed) || maxRevealed < 1) throw invalid('maxRevealed', 'a whole number of 1 or more')
  const field = Object.keys(signature.outputs).find((key) => fieldKind(signature.outputs[key]) === 'tool_calls')
  if (field === undefined) return
  throw new AgentError(
    'invalid_options',
    `createReactAgent: the output "${field}" holds tool calls, which an agent runs itself. Leave it out, or use predict.`,
  )
}

function invalid(option: string, expected: string): AgentError {
  return new AgentError('invalid_options', `createReactAgent: ${option} is missing or wrong. It must be ${expected}.`)
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'function'
}
