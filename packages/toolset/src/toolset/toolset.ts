/** The base class: one class, many tools, shared state. */
import { type Tool, ToolError, type ToolSource } from '@x/tool-core'
import { METHOD, type ToolMethod, toTool } from './method.ts'
import { findClash, type SnakeCase, toSnakeCase } from './name.ts'

type ToolOf<Prefix extends string, Key extends string, Method> =
  Method extends ToolMethod<infer Args, infer Output, infer Name>
    ? Tool<Name extends string ? Name : `${Prefix}_${SnakeCase<Key>}`, Args, Output>
    : never

/** The keys that a toolset uses itself. */
type OwnKey = 'name' | 'instructions' | 'tools' | 'open' | 'close'
const OWN_KEYS: readonly string[] = ['name', 'instructions', 'tools', 'open', 'close'] satisfies OwnKey[]
type MethodKey<T> = Exclude<keyof T & string, OwnKey>

/** The union of the tools that a toolset exposes; of the base class, about which nothing is known, `Tool`. */
export type ToolsOf<T extends { readonly name: string }> = [MethodKey<T>] extends [never]
  ? Tool
  : { [Key in MethodKey<T>]: ToolOf<T['name'], Key, T[Key]> }[MethodKey<T>]

/**
 * A class whose `method()` fields are tools that share its state. Fields only: an ordinary method is never exposed.
 * Two instances share nothing; two calls of `tools()` on one instance return the same tools.
 *
 * A subclass that holds a connection or a file gives itself `open()` and `close()`: an agent calls them when it starts and
 * closes, and `await using` closes at the end of the block.
 */
export abstract class Toolset implements ToolSource {
  /** Prefix of the tools' names: `{name}_{method}`. */
  abstract readonly name: string
  /** Words for the model about the tools as a group. */
  readonly instructions?: string | undefined
  #tools: readonly Tool[] | undefined

  /** The tools, in the order in which the fields are declared. Throws `invalid_definition` when two have one name. */
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
    // Its own check says what is missing.
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
    `${toolset.constructor.name}: name is missing. Give the toolset one as a field: readonly name = 'memory'.`,
  )
}

function reserved(toolset: string, key: string): ToolError {
  return new ToolError(
    'invalid_definition',
    `Toolset "${toolset}": a toolset uses "${key}" itself. Give the field another name, and the tool this one: method({ name: '${toolset}_${key}' }).`,
  )
}

function duplicate(toolset: string, name: string, first: string, second: string): ToolError {
  return new ToolError(
    'invalid_definition',
    `Toolset "${toolset}": the methods "${first}" and "${second}" both make a tool named "${name}". Give one of them another name: method({ name: '…' }).`,
  )
}
