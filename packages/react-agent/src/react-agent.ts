/** `createReactAgent`: an agent that reads typed inputs, calls tools, and returns typed outputs. */
import type { Signature } from '@x/adapters'
import type { SearchableRegistry } from '@x/registry'
import { checkOptions } from './check-options.ts'
import type { ReactAgent, ReadOptions } from './create-agent.ts'
import type { AgentSearch, AgentTools, ReactAgentOptions } from './options.ts'
import { readModuleOptions } from './predict/module-options.ts'
import type { CallsOf, FoundIn, ToolsOf } from './tools/agent-tools.ts'

/**
 * Creates an agent. Opens its tool sources and resolves its tools, so that a missing tool fails here and not in a run. Rejects with
 * `ToolResolutionError`, which contains all failures, or with `AgentError` for an invalid option or a reserved tool name.
 */
export async function createReactAgent<
  S extends Signature,
  const Tools extends AgentTools,
  const Search extends AgentSearch = SearchableRegistry,
>(options: ReactAgentOptions<S, Tools, Search>): Promise<ReactAgent<S, CallsOf<ToolsOf<Tools> | FoundIn<Search>>>> {
  const read = readOptions(options as never)
  const { createAgent } = await import('./loaded-at-use.ts')
  return createAgent(read) as never
}

/** Checks the options, and copies them, because the caller may change them while the code is loaded. */
function readOptions(options: ReactAgentOptions<Signature>): ReadOptions {
  const module = readModuleOptions('createReactAgent', options)
  const limits = checkOptions(options)
  const { lm, signature, name, search, stream, contextWindow, budget, prices, stopWhen, pauses } = options
  const tools = Array.isArray(options.tools) ? [...options.tools] : options.tools
  return { lm, signature, name, tools, search, stream, contextWindow, budget, prices, stopWhen, pauses, module, limits }
}
