/** The tool: name, description, schema and implementation in one object. */
import type { TObject, TProperties } from 'typebox'
import { type CallOptions, type ToolContext, toContext } from '../call/context.ts'
import { type Execution, settleExecution } from '../call/progress.ts'
import { ToolError } from '../errors.ts'
import { assertSound } from '../schema/assert-sound.ts'
import type { Issue } from '../schema/issue.ts'
import { foreignVendorOf, type ValueOf } from '../schema/schema.ts'
import { type ToolArgs, withStandard } from '../schema/standard-args.ts'
import { assertArguments, type ToolArgument, toArguments } from './argument.ts'
import { type ActionHooks, assertHooks } from './hooks.ts'
import { assertToolName } from './name.ts'
import { shown } from './shown.ts'
import { assertTraits, type ToolTraits } from './traits.ts'

/** Marks a tool, including one of another copy of this package. */
export const TOOL: unique symbol = Symbol.for('@x/tool-core/tool') as never

/**
 * A tool. `execute` is the implementation alone and doesn't validate its arguments. Run a model's calls through `callTool` or `dispatch`,
 * which do.
 */
export interface Tool<Name extends string = string, Args extends object = object, Output = unknown> extends ToolTraits {
  readonly [TOOL]: true
  readonly kind: 'tool' | 'action'
  readonly name: Name
  readonly description: string
  /** JSON Schema of the arguments, which is also a Standard Schema. */
  readonly args: ToolArgs<Args>
  /** The arguments as a list: the one passed to `defineTool`, or derived from `args` when first read. */
  readonly arguments: readonly ToolArgument[]
  /** Validates the arguments in place of the JSON Schema, and may transform them: the validator of another schema library. */
  readonly parse?: ArgsParser | undefined
  /** JSON Schema that the value returned by `execute` must match. */
  readonly output?: TObject | undefined
  readonly hooks?: ActionHooks | undefined
  /** JSON Schema of the run-scoped values that the tool needs. */
  readonly context?: TObject | undefined
  /** Returns what the model sees instead of the output. */
  readonly toModelOutput?: OutputReader<unknown> | undefined
  // A method, so that every tool is assignable to plain `Tool`.
  execute(args: Args, context?: CallOptions): Output | Promise<Output>
}

/** Returns the validated args, or the issues. */
export type ArgsParser = (args: object) => ParsedArgs | Promise<ParsedArgs>

export type ParsedArgs = { readonly args: object; readonly issues?: undefined } | { readonly issues: readonly Issue[] }

/** Has a bivariant parameter, so that every tool is assignable to plain `Tool`. */
type OutputReader<Output> = { read(output: Output): unknown }['read']

export interface ToolOptions<Name extends string, Properties extends TProperties, Output, Values extends TProperties>
  extends ToolTraits {
  name: Name
  description: string
  args: TObject<Properties>
  /** Schema of the run-scoped values that `execute` reads from `context.values`. They never come from the model. */
  context?: TObject<Values> | undefined
  /** The implementation. An async generator yields progress and returns the output. */
  execute: (args: ValueOf<Properties>, context: ToolContext<ValueOf<Values>>) => Execution<Output>
  /** Returns what the model sees instead of the output: a string, or any JSON value. Write it after `execute`, which determines its type. */
  toModelOutput?: OutputReader<NoInfer<Output>> | undefined
}

/**
 * Defines a tool. The type of the args is inferred from the schema, the type of the output from `execute`. Throws a `ToolError` with code
 * `invalid_definition` for an invalid name, an empty description, or args that aren't an object schema.
 */
export function defineTool<
  const Name extends string,
  Properties extends TProperties,
  Output,
  Values extends TProperties = Record<never, never>,
>(options: ToolOptions<Name, Properties, Output, Values>): Tool<Name, ValueOf<Properties>, Output> {
  assertOptions(options, 'defineTool')
  assertOwnSchema(options.args, `defineTool(${JSON.stringify(options.name)})`)
  return createTool(options.name, 'tool', options as unknown as ToolParts) as never
}

export function isTool(value: unknown): value is Tool {
  return typeof value === 'object' && value !== null && (value as Partial<Tool>)[TOOL] === true
}

export type NameOf<T> = T extends Tool<infer Name> ? Name : never
export type ArgsOf<T> = T extends { execute(args: infer Args extends object, context?: CallOptions): unknown } ? Args : never
export type OutputOf<T> = T extends { execute(...args: never[]): infer Output } ? Awaited<Output> : never

/** A definition without its generic types: what `defineTool` and `defineAction` have in common. */
export interface ToolParts extends ToolTraits {
  description: string
  args: TObject
  output?: TObject | undefined
  hooks?: ActionHooks | undefined
  context?: TObject | undefined
  execute: (args: object, context: ToolContext) => unknown
  toModelOutput?: OutputReader<unknown> | undefined
  parse?: ArgsParser | undefined
}

export function createTool<Name extends string>(name: Name, kind: Tool['kind'], parts: ToolParts): Tool<Name> {
  const define = kind === 'tool' ? 'defineTool' : 'defineAction'
  assertToolName(name, define)
  const owner = `${define}("${name}")`
  assertParts(parts, kind, owner)
  const { execute, arguments: list, ...rest } = parts
  const args = withStandard(parts.args)
  // Another library matches its own patterns.
  if (parts.parse === undefined) assertSound(args, owner, 'args')
  if (list !== undefined) assertArguments(list, args, owner)
  return Object.freeze({
    ...rest,
    [TOOL]: true as const,
    kind,
    name,
    args,
    get arguments() {
      return list ?? toArguments(args)
    },
    execute: toExecute(execute),
  })
}

/** Wraps the implementation: completes the context, and runs a generator to its end. */
export function toExecute(execute: ToolParts['execute']): Tool['execute'] {
  return (args, context) => {
    const complete = toContext(context)
    return settleExecution(execute(args, complete), complete)
  }
}

function assertParts(parts: ToolParts, kind: Tool['kind'], owner: string): void {
  assertDescription(parts.description, owner)
  assertObjectSchema(parts.args, owner, 'args')
  if (kind === 'action' || parts.output !== undefined) assertSchema(parts.output, owner, 'output')
  if (parts.context !== undefined) assertSchema(parts.context, owner, 'context')
  assertFunction(parts.execute, owner, 'execute')
  if (parts.toModelOutput !== undefined) assertFunction(parts.toModelOutput, owner, 'toModelOutput')
  if (parts.hooks !== undefined) assertHooks(parts.hooks, owner)
  assertTraits(parts, owner)
}

export function assertDescription(description: unknown, owner: string): void {
  if (typeof description === 'string' && description.trim() !== '') return
  throw new ToolError(
    'invalid_definition',
    `${owner}: description must be a non-empty string, got ${shown(description)}. Describe in one sentence what the tool does.`,
  )
}

export function assertFunction(value: unknown, owner: string, field: string): void {
  if (typeof value === 'function') return
  throw new ToolError('invalid_definition', `${owner}: ${field} must be a function, got ${shown(value)}.`)
}

/** Throws `invalid_definition` for args of another schema library: they may look like JSON Schema and would be misread. */
export function assertOwnSchema(args: unknown, owner: string): void {
  const vendor = foreignVendorOf(args)
  if (vendor === undefined) return
  throw new ToolError(
    'invalid_definition',
    `${owner}: args is a schema of ${vendor}. Write it with TypeBox, e.g. Type.Object({ … }), or use defineTool from "@x/tool-core/standard-schema", which accepts schemas of other libraries.`,
  )
}

/** Throws `invalid_definition` unless the definition is an object. */
export function assertOptions(options: unknown, define: string): void {
  if (typeof options === 'object' && options !== null) return
  const fields = define === 'defineAction' ? 'name, description, args, output, execute' : 'name, description, args, execute'
  throw new ToolError(
    'invalid_definition',
    `${define}: the definition must be an object, got ${shown(options)}. Write ${define}({ ${fields} }).`,
  )
}

/** Throws `invalid_definition` unless this is a JSON Schema of an object with safe patterns. The library of `args` is checked elsewhere. */
export function assertSchema(schema: unknown, owner: string, field: string): void {
  const vendor = field === 'args' ? undefined : foreignVendorOf(schema)
  if (vendor !== undefined)
    throw new ToolError(
      'invalid_definition',
      `${owner}: ${field} is a schema of ${vendor}. Write it with TypeBox, e.g. Type.Object({ … }).`,
    )
  assertObjectSchema(schema, owner, field)
  assertSound(schema as object, owner, field)
}

function assertObjectSchema(schema: unknown, owner: string, field: string): void {
  if (typeof schema === 'object' && schema !== null && (schema as { type?: unknown }).type === 'object') return
  throw new ToolError(
    'invalid_definition',
    `${owner}: ${field} must be an object schema, got ${shown(schema)}. Write e.g. Type.Object({ city: Type.String() }).`,
  )
}
