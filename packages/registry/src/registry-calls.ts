/** Executes calls against a registry: finds the tool, imports it if it is lazy, and calls it. */
import { type CallOptions, callTool, isTool, isToolName, type Tool, type ToolCall, ToolError, unknownTool } from '@x/tool-core'
import type { NamedEntry } from './entries.ts'
import { readable, ToolResolutionError } from './errors.ts'
import type { KnownNames } from './names/known-names.ts'
import type { FoundName } from './names/tolerant-name.ts'
import { notLoaded } from './prompts.ts'
import type { ExecuteResult } from './registry.ts'

/** How the registry finds an entry by its exact name and resolves it to a tool. */
export interface CallSource {
  readonly names: KnownNames
  readonly find: (name: string) => Promise<NamedEntry | undefined>
  readonly resolve: (entry: NamedEntry) => Promise<Tool>
}

export class RegistryCalls {
  readonly #source: CallSource
  /** One tool for each entry, including factories. */
  readonly #tools = new WeakMap<NamedEntry, Promise<Tool>>()

  constructor(source: CallSource) {
    this.#source = source
  }

  /** Executes the call. Never rejects. */
  async execute(call: ToolCall, options?: CallOptions): Promise<ExecuteResult> {
    const asked: unknown = call?.name
    let found: FoundName = { name: typeof asked === 'string' ? asked : '', tags: [] }
    try {
      // A pattern is not a tool name: a name that a model wrote imports at most one tool.
      let tool = isToolName(asked) ? await this.#toolOf(asked) : undefined
      if (tool === undefined) {
        found = this.#source.names.find(asked as string) ?? found
        if (isToolName(found.name)) tool = await this.#toolOf(found.name)
      }
      if (tool === undefined) return { ok: false, call, error: unknownTool(asked, this.#source.names.list), nameTags: [] }
      const nameTags = found.tags.length === 0 && tool.name !== asked ? (['alias'] as const) : found.tags
      const result = await callTool(tool, tool.name === asked ? call : { ...call, name: tool.name }, options)
      return { ...result, nameTags }
    } catch (error) {
      return { ok: false, call, error: toToolError(found.name, error), nameTags: found.tags }
    }
  }

  async #toolOf(name: string): Promise<Tool | undefined> {
    const entry = await this.#source.find(name)
    if (entry === undefined || isTool(entry)) return entry
    let pending = this.#tools.get(entry)
    if (pending === undefined) {
      pending = this.#source.resolve(entry)
      this.#tools.set(entry, pending)
      // A failure is not cached: the next call tries again.
      pending.catch(() => this.#tools.delete(entry))
    }
    return pending
  }
}

/** The message for the model. Why the tool failed to load is for the developer, in `cause`. */
function toToolError(name: string, thrown: unknown): ToolError {
  const error = readable(thrown)
  const reason = error instanceof ToolResolutionError ? error.code : 'load_failed'
  return new ToolError('execution_failed', notLoaded(name), { reason, cause: error })
}
