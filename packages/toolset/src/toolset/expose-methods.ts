/** An existing object as a tool source: the methods in a table become tools, and nothing else does. */
import { nearestNames, type Tool, type ToolContext, ToolError, type ToolTraits, type ValueOf } from '@x/tool-core'
import type { TObject, TProperties } from 'typebox'
import type { DerivedSource } from '../wrappers/source.ts'
import { toTool } from './method.ts'
import { findClash, type SnakeCase, toSnakeCase } from './name.ts'

/** What a method that is exposed is told to a model as. */
export interface ExposedMethod<Properties extends TProperties> extends ToolTraits {
  readonly description: string
  /** Of the one object that the method takes. A second parameter, if it has one, is the call's context. */
  readonly args: TObject<Properties>
  /** Run-scoped values that the method finds in `context.values`. */
  readonly context?: TObject | undefined
  readonly toModel?: ((output: never) => unknown) | undefined
}

/** What a source has beside its tools. The instance's own `open` and `close` may mean something else, so they are not called. */
export interface ExposeOptions {
  /** Words for the model about the tools as a group. */
  readonly instructions?: string | undefined
  readonly open?: (() => Promise<void>) | undefined
  readonly close?: (() => Promise<void>) | undefined
}

/** Whatever the table is when its methods exist and take these args; else the words that the compiler shows. */
export type FittingTable<Instance, Shapes> = [Misfit<Instance, Shapes>] extends [never] ? unknown : Misfit<Instance, Shapes>

type Misfit<Instance, Shapes> = {
  [Key in keyof Shapes & string]: Key extends keyof Instance
    ? Instance[Key] extends (args: ArgsFrom<Shapes[Key]>, context: ToolContext) => unknown
      ? never
      : `The method "${Key}" does not take one object with these args`
    : `There is no public method "${Key}"`
}[keyof Shapes & string]

type ArgsFrom<Shape> = Shape extends TProperties ? ValueOf<Shape> : never

export type MethodTool<Instance, Name extends string, Shapes> = {
  [Key in keyof Shapes & keyof Instance & string]: Tool<
    `${Name}_${SnakeCase<Key>}`,
    ArgsFrom<Shapes[Key]>,
    Instance[Key] extends (...args: never[]) => infer Output ? Awaited<Output> : never
  >
}[keyof Shapes & keyof Instance & string]

/**
 * The methods in the table as tools named `{name}_{method}` in snake case, called on the instance itself with one object. A
 * misspelt or private method and args that do not fit are compile errors; a member that is no function throws
 * `invalid_definition`. For a method that takes several arguments expose a small object that hands them on.
 */
export function exposeMethods<Instance extends object, Name extends string, Shapes extends Record<string, TProperties>>(
  instance: Instance,
  name: Name,
  table: { readonly [Key in keyof Shapes]: ExposedMethod<Shapes[Key]> } & FittingTable<Instance, Shapes>,
  options: ExposeOptions = {},
): DerivedSource<readonly MethodTool<Instance, Name, Shapes>[]> {
  const methods = instance as Record<string, unknown>
  if (typeof name !== 'string' || name === '') throw misuse(String(name), 'the name is empty. It is the prefix of the tools.')
  if (typeof methods !== 'object' && typeof methods !== 'function') throw misuse(name, NO_INSTANCE)
  if (methods === null) throw misuse(name, NO_INSTANCE)
  if (typeof table !== 'object' || table === null || Array.isArray(table)) throw misuse(name, NO_TABLE)
  const entries = Object.entries(table as Record<string, ExposedMethod<TProperties>>).map(([key, traits]) => {
    if (typeof methods[key] !== 'function') throw noMethod(methods, name, key)
    // Looked up at each call, as any call of a method is.
    const execute = (args: object, context: ToolContext) =>
      (methods[key] as (args: object, context: ToolContext) => unknown).call(instance, args, context)
    return { key, tool: toTool({ ...traits, name: `${name}_${toSnakeCase(key)}`, execute }) }
  })
  const clash = findClash(entries)
  if (clash !== undefined) {
    const { first, second } = clash
    throw misuse(
      name,
      `the methods "${first.key}" and "${second.key}" both make a tool named "${second.tool.name}". Leave one out.`,
    )
  }
  const tools = Object.freeze(entries.map(({ tool }) => tool))
  return Object.freeze({ name, tools: () => tools, ...options, [Symbol.asyncDispose]: async () => options.close?.() }) as never
}

const NO_INSTANCE = 'there is no instance. Give the object whose methods are exposed.'
const NO_TABLE = 'there is no table of methods. Write { method: { description, args } }.'

function noMethod(methods: Record<string, unknown>, name: string, key: string): ToolError {
  const [nearest] = nearestNames(key, functionNames(methods), 1)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return misuse(name, `"${key}" is no method of the ${methods.constructor?.name ?? 'object'} that was given.${hint}`)
}

/** Own and inherited, for a hint alone: what is exposed is what the table names. */
function functionNames(methods: object): readonly string[] {
  const names: string[] = []
  for (let owner = methods; owner !== null && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    const descriptors = Object.entries(Object.getOwnPropertyDescriptors(owner))
    names.push(
      ...descriptors.filter(([key, { value }]) => typeof value === 'function' && key !== 'constructor').map(([key]) => key),
    )
  }
  return names
}

function misuse(name: string, words: string): ToolError {
  return new ToolError('invalid_definition', `exposeMethods(…, "${name}"): ${words}`)
}
