/** Executes calls to the tools of a registry. Finds the tool, imports it if it is lazy, and calls it. */
import {
  type ArgumentTag,
  type CallOptions,
  callTool,
  isTool,
  isToolError,
  isToolName,
  readContainer,
  type Tool,
  type ToolCall,
  ToolError,
  unknownTool,
} from '@x/tool-core'
import type { NamedEntry } from './entries.ts'
import { readable, ToolResolutionError } from './errors.ts'
import type { KnownNames } from './names/known-names.ts'
import type { FoundName } from './names/tolerant-name.ts'
import { MIXED_UP, notLoaded, OTHER_FORM, unreadable } from './prompts.ts'
import type { ExecuteResult, RawCall } from './registry-types.ts'

/** What a call needs from its registry: how to find an entry by its exact name, and how to resolve an entry to a tool. */
export interface CallSource {
  readonly names: KnownNames
  readonly find: (name: string) => Promise<NamedEntry | undefined>
  readonly resolve: (entry: NamedEntry) => Promise<Tool>
}

export class RegistryCalls {
  readonly #source: CallSource
  /** The resolved tool for each entry. A factory therefore creates its tool only once. */
  readonly #tools = new WeakMap<NamedEntry, Promise<Tool>>()

  constructor(source: CallSource) {
    this.#source = source
  }

  /** Executes a call. Never rejects. */
  async execute(given: ToolCall | RawCall, options?: CallOptions): Promise<ExecuteResult> {
    const asked: unknown = given?.name
    let found: FoundName = { name: typeof asked === 'string' ? asked : '', tags: [] }
    try {
      // A pattern isn't a valid tool name, so a name from a model imports at most one tool.
      let tool = isToolName(asked) ? await this.#toolOf(asked) : undefined
      if (tool === undefined) {
        found = this.#source.names.find(asked as string) ?? found
        if (isToolName(found.name)) tool = await this.#toolOf(found.name)
      }
      if (tool === undefined) {
        const isOtherForm = asked === undefined && isObject(given) && ('function' in given || 'toolName' in given)
        return failed(
          given,
          isOtherForm ? new ToolError('unknown_tool', OTHER_FORM) : unknownTool(asked, this.#source.names.list),
        )
      }
      if (found.tags.length === 0 && tool.name !== asked) found = { name: tool.name, tags: ['alias'] }
      const nameTags = found.tags
      const call = toCall(given)
      if (isToolError(call)) return failed(given, call, found)
      const result = await callTool(tool, tool.name === asked ? call : { ...call, name: tool.name }, options)
      const isEmpty = call !== given && (given as RawCall).arguments.trim() === ''
      return result.ok && isEmpty ? { ...result, tags: [NO_TEXT, ...result.tags], nameTags } : { ...result, nameTags }
    } catch (error) {
      return failed(given, toToolError(found.name, error), found)
    }
  }

  async #toolOf(name: string): Promise<Tool | undefined> {
    const entry = await this.#source.find(name)
    if (entry === undefined || isTool(entry)) return entry
    let pending = this.#tools.get(entry)
    if (pending === undefined) {
      pending = this.#source.resolve(entry)
      this.#tools.set(entry, pending)
      // A failure isn't cached, so the next call tries again.
      pending.catch(() => this.#tools.delete(entry))
    }
    return pending
  }
}

/** Creates a failed result, which contains the caller's own call unchanged. */
function failed(given: ToolCall | RawCall, error: ToolError, { tags = [] }: Partial<FoundName> = {}): ExecuteResult {
  return { ok: false, call: given as ToolCall, error, nameTags: tags }
}

/**
 * Returns the call with parsed arguments, or an error. Empty text counts as `{}`, because a model may write nothing if a tool has no
 * arguments.
 */
function toCall(given: ToolCall | RawCall): ToolCall | ToolError {
  const { id, name, args, arguments: text, input } = given as ToolCall & RawCall & { readonly input?: unknown }
  if (args === undefined && text === undefined && input !== undefined) return new ToolError('invalid_arguments', OTHER_FORM)
  if (text === undefined && typeof args !== 'string') return given as ToolCall
  if (typeof text !== 'string' || args !== undefined) return new ToolError('invalid_arguments', MIXED_UP)
  const parsed = text.trim() === '' ? {} : readWhole(text)
  if (parsed === undefined || Array.isArray(parsed)) return new ToolError('invalid_arguments', unreadable(name))
  return isToolError(parsed) ? parsed : { id, name, args: parsed as ToolCall['args'] }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function readWhole(text: string): object | undefined {
  try {
    return readContainer(text)
  } catch (tooDeep) {
    return tooDeep as ToolError
  }
}

const NO_TEXT: ArgumentTag = Object.freeze({ tag: 'defaulted', path: '' })

/** Creates an error with a message for the model. Its `cause` contains the reason for developers. */
function toToolError(name: string, thrown: unknown): ToolError {
  const error = readable(thrown)
  const reason = error instanceof ToolResolutionError ? error.code : 'load_failed'
  return new ToolError('execution_failed', notLoaded(name), { reason, cause: error })
}
