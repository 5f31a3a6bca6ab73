/** A tool that has a name now, and a module later. */
import { isTool, type Tool } from '@x/tool-core'
import { LoadError } from './errors.ts'
import { createConfigured, isToolFactory, type ToolFactory } from './factory.ts'
import { isSource } from './is-source.ts'
import type { LoaderContext, LoadOptions } from './load-options.ts'
import { ModuleLoader } from './module-loader.ts'
import { assertCard, type ToolCard } from './search/card.ts'

/** What a loader may give: a tool, a factory of it, or a module that exports one as default. */
export type Loaded<Name extends string> = Definition<Name> | { readonly default: Definition<Name> }

/** A tool as it is, or as it will be made when it is resolved. */
export type Definition<Name extends string = string> = Tool<Name> | ToolFactory<Name>

export type Loader<Name extends string> = (context: LoaderContext) => Promise<Loaded<Name>>

export type { LoaderContext, LoadOptions } from './load-options.ts'

/** Marks a lazy tool, also of another copy of this package; holds the way to its definition. */
export const LAZY: unique symbol = Symbol.for('@x/registry/lazy') as never

export interface LazyTool<Name extends string = string> {
  readonly [LAZY]: (options?: LoadOptions) => Promise<Definition<Name>>
  readonly name: Name
  /** What is known before the import, for the search. */
  readonly card?: ToolCard | undefined
  /** The tool, once it is there; never of a factory, which makes another one each time. */
  readonly loaded?: Tool<Name> | undefined
  /**
   * Imports once, also for many callers at a time; a failure is not remembered. An attempt that takes longer than
   * `timeoutMs` is given up on, and the next call tries again. A factory makes another tool for each call.
   */
  load(options?: LoadOptions): Promise<Tool<Name>>
}

/**
 * Names a tool now; `load` runs when an agent that needs it is created. A closure is the place for its configuration. The card
 * lets a search find the tool before it is imported. Only what `load` imports is ever imported: names never reach `import()`.
 */
export function lazy<const Name extends string>(
  name: Name,
  load: (context: LoaderContext) => Promise<Loaded<NoInfer<Name>>>,
  card?: Omit<ToolCard, 'name'>,
): LazyTool<Name> {
  const known = card && { name, ...card }
  if (known !== undefined) assertCard(known)
  return new LazyModule(name, load, known)
}

/** A class, because ten thousand of them are made at once. */
class LazyModule<Name extends string> extends ModuleLoader<Definition<Name>> implements LazyTool<Name> {
  declare readonly name: Name
  readonly card: ToolCard | undefined
  readonly #load: Loader<Name>
  #loaded: Tool<Name> | undefined

  constructor(name: Name, load: Loader<Name>, card: ToolCard | undefined) {
    super(name)
    this.card = card
    this.#load = load
    Object.freeze(this)
  }

  get loaded(): Tool<Name> | undefined {
    return this.#loaded
  }

  [LAZY](options?: LoadOptions): Promise<Definition<Name>> {
    return this.fetch(options)
  }

  load(options?: LoadOptions): Promise<Tool<Name>> {
    return this.#loaded === undefined ? this.fetch(options).then((found) => this.#keep(found)) : Promise.resolve(this.#loaded)
  }

  protected async run(context: LoaderContext): Promise<Definition<Name>> {
    return toDefinition(this.name, await this.#load(context))
  }

  #keep(definition: Definition<Name>): Tool<Name> | Promise<Tool<Name>> {
    // Without options, for a factory that needs none.
    if (!isTool(definition)) return createConfigured(definition, undefined) as Promise<Tool<Name>>
    this.#loaded = definition as Tool<Name>
    return this.#loaded
  }
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

function toDefinition<Name extends string>(name: Name, loaded: unknown): Definition<Name> {
  // A CommonJS module that was compiled from `export default` arrives with a default in its default.
  const candidates = [loaded, defaultOf(loaded), defaultOf(defaultOf(loaded))]
  const definition = candidates.find((candidate) => isTool(candidate) || isToolFactory(candidate)) as Definition | undefined
  if (definition === undefined && candidates.some(isSource)) {
    throw new LoadError('wrong_kind', 'Its loader gave a toolset, not a tool.')
  }
  if (definition === undefined) throw new LoadError('invalid_module', `Its loader gave no tool: ${describe(loaded)}.`)
  if (definition.name !== name) throw new LoadError('wrong_name', `Its loader gave a tool named "${definition.name}".`)
  return definition as Definition<Name>
}

function defaultOf(loaded: unknown): unknown {
  return (loaded as { default?: unknown } | null | undefined)?.default
}

function describe(loaded: unknown): string {
  if (typeof loaded !== 'object' || loaded === null) return `it gave ${loaded === null ? 'null' : typeof loaded}`
  const keys = Object.keys(loaded)
  return keys.length === 0 ? 'the module exports nothing' : `the module exports ${keys.join(', ')}`
}
