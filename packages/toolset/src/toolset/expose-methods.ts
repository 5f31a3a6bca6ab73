/** Turns an object into a tool source. Only the methods that a table lists become tools. */
import {
  type Accepted,
  type ModelOutput,
  nearestNames,
  type SchemaOutput,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolTraits,
  type TypedSchema,
} from '@x/tool-core'
import type { TObject } from 'typebox'
import { shown } from '../option.ts'
import { findClash } from '../wrappers/distinct.ts'
import type { DerivedSource } from '../wrappers/source.ts'
import { toTool } from './method.ts'
import { type SnakeCase, toSnakeCase } from './name.ts'

/** Describes an exposed method for a model. */
export interface ExposedMethod<Args> extends ToolTraits {
  readonly description: string
  /**
   * Schema of the object that the method takes as its first parameter. If the method has a second parameter, it receives the context of the
   * call.
   */
  readonly args: Accepted<Args>
  /** Schema for run-scoped values that the method reads from `context.values`. */
  readonly context?: TObject | TypedSchema | undefined
  readonly toModelOutput?: ((output: never) => ModelOutput | Promise<ModelOutput>) | undefined
}

/** Other members of the source. The instance's own `open` and `close` are never called, because they may serve another purpose. */
export interface ExposeOptions {
  /** Instructions for the model about the tools as a group. */
  readonly instructions?: string | undefined
  readonly open?: (() => Promise<void>) | undefined
  readonly close?: (() => Promise<void>) | undefined
}

/** The table, if the methods exist and take these args. Otherwise a message for the compiler to show. */
export type FittingTable<Instance, Schemas> = [Misfit<Instance, Schemas>] extends [never] ? unknown : Misfit<Instance, Schemas>

type Misfit<Instance, Schemas> = {
  [Key in keyof Schemas & string]: Key extends keyof Instance
    ? Instance[Key] extends (args: SchemaOutput<Schemas[Key]>, context: ToolContext) => unknown
      ? never
      : `The method "${Key}" does not take one object with these args`
    : `There is no public method "${Key}"`
}[keyof Schemas & string]

export type MethodTool<Instance, Name extends string, Schemas> = {
  [Key in keyof Schemas & keyof Instance & string]: Tool<
    `${Name}_${SnakeCase<Key>}`,
    SchemaOutput<Schemas[Key]>,
    Instance[Key] extends (...args: never[]) => infer Output ? Awaited<Output> : never
  >
}[keyof Schemas & keyof Instance & string]

/**
 * Exposes the methods in the table as tools named `{name}_{method}` in snake case. Each method is called on the instance itself, with one
 * object. A misspelled or private method, and args that don't fit, are compile errors. A member that isn't a function throws
 * `invalid_definition`. If a method takes several parameters, expose a small object that passes them on.
 */
export function exposeMethods<Instance extends object, Name extends string, Schemas extends object>(
  instance: Instance,
  name: Name,
  table: { readonly [Key in keyof Schemas]: ExposedMethod<Schemas[Key]> } & FittingTable<Instance, Schemas>,
  options: ExposeOptions = {},
): DerivedSource<readonly MethodTool<Instance, Name, Schemas>[]> {
  const methods = instance as Record<string, unknown>
  if (typeof name !== 'string' || name === '') throw misuse(String(name), 'the name is empty. Pass the prefix of the tool names.')
  if ((typeof methods !== 'object' && typeof methods !== 'function') || methods === null)
    throw misuse(name, `the instance must be an object, got ${shown(methods)}. Pass the object whose methods you expose.`)
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    throw misuse(name, `the table must be an object, got ${shown(table)}. Write { method: { description, args } }.`)
  const entries = Object.entries(table as Record<string, ToolTraits>).map(([key, traits]) => {
    if (typeof methods[key] !== 'function') throw noMethod(methods, name, key)
    // Looks up the method at each call, as a normal method call does.
    const execute = (args: object, context: ToolContext) =>
      (methods[key] as (args: object, context: ToolContext) => unknown).call(instance, args, context)
    return { key, tool: toTool({ ...traits, name: `${name}_${toSnakeCase(key)}`, execute }) }
  })
  const clash = findClash(entries)
  if (clash !== undefined) {
    const { first, second } = clash
    throw misuse(
      name,
      `the methods "${first.key}" and "${second.key}" would both become a tool named "${second.tool.name}". Remove one of them.`,
    )
  }
  const tools = Object.freeze(entries.map(({ tool }) => tool))
  return Object.freeze({ name, tools: () => tools, ...options, [Symbol.asyncDispose]: async () => options.close?.() }) as never
}

function noMethod(methods: Record<string, unknown>, name: string, key: string): ToolError {
  const [nearest] = nearestNames(key, functionNames(methods), 1)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  return misuse(name, `"${key}" is not a method of the ${methods.constructor?.name ?? 'object'} that was passed.${hint}`)
}

/**
 * Returns the names of own and inherited methods, for the hint in the error message. Which methods are exposed depends only on the table.
 */
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
