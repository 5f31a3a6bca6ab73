/** Lazy tools. Their names are known from the start, but each tool is imported only when an agent needs it. */
import { isTool, isToolSource, type Tool } from '@x/tool-core'
import { describeThrown, kindOf, LoadError, RegistryError } from '../errors.ts'
import { assertCard, type ToolCard } from '../search/card.ts'
import { createConfigured, isToolFactory, type ToolFactory } from './factory.ts'
import type { LoaderContext, LoadOptions } from './load-options.ts'
import { ModuleLoader } from './module-loader.ts'

/** What a loader may return: a tool, a factory, or a module that default-exports one of them. */
export type Loaded<Name extends string> = Definition<Name> | { readonly default: Definition<Name> }

/** A tool, or a factory that creates the tool when it is resolved. */
export type Definition<Name extends string = string> = Tool<Name> | ToolFactory<Name>

export type Loader<Name extends string> = (context: LoaderContext) => Promise<Loaded<Name>>

export type { LoaderContext, LoadOptions } from './load-options.ts'

/** Marks a lazy tool, even one from another copy of this package. The method with this name loads the tool's definition. */
export const LAZY: unique symbol = Symbol.for('@x/registry/lazy') as never

/** The type of the tool that a loader's result contains. */
export type ToolIn<Result> = Result extends Tool
  ? Result
  : Result extends ToolFactory<string, never, infer T>
    ? T
    : Result extends { readonly default: infer Exported }
      ? ToolIn<Exported>
      : Tool

export interface LazyTool<Name extends string = string, T extends Tool = Tool<Name>> {
  readonly [LAZY]: (options?: LoadOptions) => Promise<Definition<Name>>
  readonly name: Name
  /** Metadata that searches use before the tool is imported. */
  readonly card?: ToolCard | undefined
  /** The tool, after it is loaded. Always undefined for a factory, which creates a new tool each time. */
  readonly loaded?: T | undefined
  /**
   * Imports the module once, even for concurrent callers. A failed attempt isn't cached. Each caller waits at most `timeoutMs`. After a
   * timeout, the attempt continues for the other callers, and the next call starts a new attempt. A factory creates a new tool for each
   * call.
   */
  load(options?: LoadOptions): Promise<T>
}

/**
 * Declares a tool. `load` runs when an agent that needs the tool is created. It may use variables of the enclosing function to configure
 * the tool. With a card, searches find the tool before it is imported. Only `load` imports anything: a name never reaches `import()`.
 */
export function lazy<const Name extends string, Result extends Loaded<NoInfer<Name>>>(
  name: Name,
  load: (context: LoaderContext) => Promise<Result>,
  card?: Omit<ToolCard, 'name'>,
): LazyTool<Name, ToolIn<Result>> {
  if (typeof load !== 'function') throw notALoader(`lazy(${JSON.stringify(name)})`, load)
  const known = card && { name, ...card }
  if (known !== undefined) assertCard(known)
  return new LazyModule(name, load, known) as never
}

/** The error for a loader that isn't a function. If it were a promise, for example, the import would already have started. */
export function notALoader(owner: string, load: unknown): RegistryError {
  const words = `${owner}: its loader must be a function, got ${kindOf(load)}. Write () => import('./file.js').`
  return new RegistryError('invalid_entry', words)
}

/**
 * A lazy tool. It's a class with a `ModuleLoader` that is created at first use, because a program may create ten thousand lazy tools at
 * once.
 */
export class LazyModule<Name extends string = string> implements LazyTool<Name> {
  readonly name: Name
  readonly card: ToolCard | undefined
  readonly #load: Loader<Name>
  #loader: ModuleLoader<Loaded<Name>, Definition<Name>> | undefined

  constructor(name: Name, load: Loader<Name>, card: ToolCard | undefined) {
    this.name = name
    this.card = card
    this.#load = load
    Object.freeze(this)
  }

  get loaded(): Tool<Name> | undefined {
    const found = this.#loader?.loaded
    return isTool(found) ? found : undefined
  }

  get loader(): ModuleLoader<Loaded<Name>, Definition<Name>> {
    this.#loader ??= new ModuleLoader<Loaded<Name>, Definition<Name>>(this.name, this.#load, toDefinition)
    return this.#loader
  }

  [LAZY](options?: LoadOptions): Promise<Definition<Name>> {
    return this.loader.fetch(options)
  }

  async load(options?: LoadOptions): Promise<Tool<Name>> {
    return toTool(await this.loader.fetch(options))
  }
}

/** Returns a tool unchanged. For a factory, creates a tool without options. */
export function toTool<Name extends string>(definition: Definition<Name>): Tool<Name> | Promise<Tool<Name>> {
  return isTool(definition) ? definition : (createConfigured(definition, undefined) as Promise<Tool<Name>>)
}

export function isLazy(value: unknown): value is LazyTool {
  return typeof value === 'object' && value !== null && typeof (value as Partial<LazyTool>)[LAZY] === 'function'
}

export function toLazy<Name extends string>(
  name: Name,
  definition: LazyTool<Name>[typeof LAZY],
  load: LazyTool<Name>['load'],
  card?: ToolCard,
): LazyTool<Name> {
  return Object.freeze({ [LAZY]: definition, name, card, load })
}

/** Finds the tool or the factory in a loader's result. Throws `LoadError`. */
export function toDefinition<Name extends string>(name: string, loaded: unknown): Definition<Name> {
  let found = loaded
  // A CommonJS module that was compiled from `export default` has a `default` inside its `default`.
  for (let depth = 0; depth < 2 && !isDefinition(found); depth++) found = defaultOf(found)
  if (!isDefinition(found)) throw noDefinition(loaded)
  if (found.name !== name)
    throw new LoadError('wrong_name', `Its loader returned a tool with a different name, "${describeThrown(found.name)}".`)
  return found as Definition<Name>
}

function noDefinition(loaded: unknown): LoadError {
  const isToolset = [loaded, defaultOf(loaded), defaultOf(defaultOf(loaded))].some(isToolSource)
  if (isToolset) return new LoadError('wrong_kind', 'Its loader returned a toolset, not a tool.')
  return new LoadError('invalid_module', `Its loader did not return a tool: ${describe(loaded)}.`)
}

function isDefinition(value: unknown): value is Definition {
  return isTool(value) || isToolFactory(value)
}

function defaultOf(loaded: unknown): unknown {
  return (loaded as { default?: unknown } | null | undefined)?.default
}

function describe(loaded: unknown): string {
  if (typeof loaded !== 'object' || loaded === null) return `it returned ${loaded === null ? 'null' : typeof loaded}`
  const keys = Object.keys(loaded)
  return keys.length === 0 ? 'the module exports nothing' : `the module exports ${keys.join(', ')}`
}
