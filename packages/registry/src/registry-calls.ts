/** Runs calls against a registry: the tool is found, imported when it is lazy, and called. */
import { type CallOptions, callTool, isTool, isToolName, type Tool, type ToolCall, ToolError, unknownTool } from '@x/tool-core'
import type { NamedEntry } from './entries.ts'
import { ToolResolutionError } from './errors.ts'
import type { KnownNames } from './known-names.ts'
import type { ExecuteResult } from './registry.ts'

export class RegistryCalls {
  readonly #names: KnownNames
  readonly #resolve: (name: string) => Promise<Tool>
  /** One tool for each entry, also of a factory. */
  readonly #tools = new WeakMap<NamedEntry, Promise<Tool>>()

  constructor(names: KnownNames, resolve: (name: string) => Promise<Tool>) {
    this.#names = names
    this.#resolve = resolve
  }

  /** Never rejects. */
  async execute(call: ToolCall, options?: CallOptions): Promise<ExecuteResult> {
    const asked: unknown = call?.name
    const { name, tags: nameTags } = (typeof asked === 'string' && this.#names.find(asked)) || { name: asked, tags: [] }
    try {
      // A pattern is no name: what a model writes never imports more than one tool.
      if (!isToolName(name)) throw unknownTool(name, this.#names.list)
      const tool = await this.#toolOf(name)
      const result = await callTool(tool, tool.name === asked ? call : { ...call, name: tool.name }, options)
      return { ...result, nameTags }
    } catch (error) {
      return { ok: false, call, error: this.#toToolError(name, error), nameTags }
    }
  }

  #toolOf(name: string): Tool | Promise<Tool> {
    const entry = this.#names.entryOf(name)
    if (entry === undefined) return this.#resolve(name)
    if (isTool(entry)) return entry
    let pending = this.#tools.get(entry)
    if (pending === undefined) {
      pending = this.#resolve(name)
      this.#tools.set(entry, pending)
      // The next call tries again.
      pending.catch(() => this.#tools.delete(entry))
    }
    return pending
  }

  /** For a model: why a tool does not load is for the developer, in the cause. */
  #toToolError(name: unknown, error: unknown): ToolError {
    if (!(error instanceof ToolResolutionError) || error.code === 'not_found') return unknownTool(name, this.#names.list)
    const words = `The tool "${error.identifier}" is not available at the moment: it could not be loaded.`
    return new ToolError('execution_failed', words, { reason: error.code, cause: error })
  }
}
