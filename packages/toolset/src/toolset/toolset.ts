/** The base class of toolsets. One class provides several tools, which share state. */
import { type Tool, ToolError, type ToolSource } from '@x/tool-core'
import { findClash } from '../wrappers/distinct.ts'
import { METHOD, type ToolMethod, toTool } from './method.ts'
import { type SnakeCase, toSnakeCase } from './name.ts'

type ToolOf<Prefix extends string, Key extends string, Method> =
  Method extends ToolMethod<infer Args, infer Output, infer Name>
    ? Tool<Name extends string ? Name : `${Prefix}_${SnakeCase<Key>}`, Args, Output>
    : never

/** Members of the base class. Their names can't be used for methods. */
type OwnKey = 'name' | 'instructions' | 'tools' | 'open' | 'close'
const OWN_KEYS: readonly string[] = ['name', 'instructions', 'tools', 'open', 'close'] satisfies OwnKey[]
type MethodKey<T> = Exclude<keyof T & string, OwnKey>

/** The tools that a toolset exposes, as a union of types. For the base class, `Tool`. */
export type ToolsOf<T extends { readonly name: string }> = [MethodKey<T>] extends [never]
  ? Tool
  : { [Key in MethodKey<T>]: ToolOf<T['name'], Key, T[Key]> }[MethodKey<T>]

/**
 * Base class for tools that share state. Fields declared with `method()` become tools, and ordinary methods never do. Instances share
 * nothing. All calls to `tools()` on one instance return the same tools.
 *
 * If a subclass holds a connection or a file, implement `open()` and `close()`. An agent calls them when it starts and closes, and `await
 * using` calls `close()` at the end of the block.
 */
export abstract class Toolset implements ToolSource {
  /** Prefix for the tool names: `{name}_{method}`. */
  abstract readonly name: string
  /** Instructions for the model about the tools as a group. */
  readonly instructions?: string | undefined
  #tools: readonly Tool[] | undefined

  /** Returns the tools in the order of their fields. Throws `invalid_definition` if two tools have the same name. */
  tools(): readonly ToolsOf<this>[] {
    this.#tools ??= collect(this)
    return this.#tools as readonly ToolsOf<this>[]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this as ToolSource).close?.()
  }
}

function collect(toolset: Toolset): readonly Tool[] {
  const { name } = toolset
  if (typeof name !== 'string' || name === '') throw nameless(toolset)
  const entries: { readonly key: string; readonly tool: Tool }[] = []
  for (const [key, field] of Object.entries(toolset as unknown as Record<string, unknown>)) {
    if (!isToolMethod(field)) continue
    if (OWN_KEYS.includes(key)) throw reserved(name, key)
    // If the definition is missing, `defineTool` reports it.
    const definition: Partial<(typeof field)[typeof METHOD]> = field[METHOD] ?? {}
    entries.push({ key, tool: toTool({ ...definition, name: definition.name ?? `${name}_${toSnakeCase(key)}` }) })
  }
  const clash = findClash(entries)
  if (clash !== undefined) throw duplicate(name, clash.second.tool.name, clash.first.key, clash.second.key)
  return entries.map(({ tool }) => tool)
}

function isToolMethod(value: unknown): value is ToolMethod {
  return typeof value === 'function' && METHOD in value
}

function nameless(toolset: Toolset): ToolError {
  return new ToolError(
    'invalid_definition',
    `${toolset.constructor.name}: name is missing. Declare it as a field: readonly name = 'memory'.`,
  )
}

function reserved(toolset: string, key: string): ToolError {
  return new ToolError(
    'invalid_definition',
    `Toolset "${toolset}": "${key}" is reserved. Rename the field, and keep the tool's name: method({ name: '${toolset}_${key}' }).`,
  )
}

function duplicate(toolset: string, name: string, first: string, second: string): ToolError {
  return new ToolError(
    'invalid_definition',
    `Toolset "${toolset}": the methods "${first}" and "${second}" would both become a tool named "${name}". Rename one of the tools: method({ name: '…' }).`,
  )
}
