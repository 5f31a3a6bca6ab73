/** What `serveMcp` can serve, and the error for anything else. */
import type { Registry, RegistryEntry } from '@x/registry'
import { isTool, type Tool, type ToolSource } from '@x/tool-core'
import { McpError } from '../errors.ts'

/** The part of a registry that a server uses. */
export type ServedRegistry = Pick<Registry, 'cards' | 'instructions' | 'onChange'> & {
  get(name: string): { readonly kind: string; readonly tool: Tool | undefined } | undefined
  resolve(...names: readonly string[]): Promise<ReadonlyMap<string, Tool>>
}

/** What can be served: a registry, a toolset or another source, or a list of tools, toolsets and lazy tools. */
export type Servable = ServedRegistry | ToolSource | readonly RegistryEntry[]

export function isRegistry(given: unknown): given is ServedRegistry {
  const { cards, resolve } = (given ?? {}) as Partial<ServedRegistry>
  return typeof cards === 'function' && typeof resolve === 'function'
}

export function notServable(given: unknown): McpError {
  const got = given === null ? 'null' : isTool(given) ? 'a tool' : typeof given
  const fix = isTool(given) ? 'Pass [tool].' : 'Pass a registry, a toolset, or a list of tools and toolsets.'
  return new McpError('invalid_option', `serveMcp: the first argument can't be served, got ${got}. ${fix}`)
}
