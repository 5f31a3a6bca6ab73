/** The tool: name, description, schema and implementation in one object. */
import type { TObject, TProperties } from 'typebox'
import { type CallOptions, type ToolContext, toContext } from '../call/context.ts'
import { type Execution, settleExecution } from '../call/progress.ts'
import { ToolError } from '../errors.ts'
import type { Issue } from '../schema/issue.ts'
import { assertSafePatterns } from '../schema/pattern.ts'
import { foreignVendorOf, type ValueOf } from '../schema/schema.ts'
import { type ToolArgs, withStandard } from '../schema/standard-args.ts'
import { assertArguments, type ToolArgument, toArguments } from './argument.ts'
import { type ActionHooks, assertHooks } from './hooks.ts'
import { assertToolName } from './name.ts'
import { assertTraits, type ToolTraits } from './traits.ts'

/** Marks a tool, also across two copies of this package; duck typing never does. */
export const TOOL: unique symbol = Symbol.for('@x/tool-core/tool') as never

/**
 * A tool. `execute` is the implementation alone: it trusts its arguments. Calls that come from a model go through
 * `callTool` or `dispatch`, which validate them.
 */
export interface Tool<Name extends string = string, Args extends object = object, Output = unknown> extends ToolTraits {
  readonly [TOOL]: true
  readonly kind: 'tool' | 'action'
  readonly name: Name
  readonly description: string
  /** JSON Schema of the arguments; a Standard Schema as well. */
  readonly args: ToolArgs<Args>
  /** The arguments as a list: given, or derived from `args` when first read. */
  readonly arguments: readonly ToolArgument[]
  /** Checks the arguments in the place of the JSON Schema, and may change them: the validator that the args came with. */
  readonly parse?: ArgsParser | undefined
  /** JSON Schema of the output; what `execute` returns is checked against it. */
  readonly output?: TObject | undefined
  readonly hooks?: ActionHooks | undefined
  /** JSON Schema of the run-scoped values that the tool needs. */
  readonly context?: TObject | undefined
  /** What the model sees in place of the output. */
  readonly toModel?: OutputReader<unknown> | undefined
  // Written as a method, so that every tool is assignable to plain `Tool`.
  execute(args: Args, context?: CallOptions): Output | Promise<Output>
}

/** Gives the checked args, or what is wrong with them. */
export type ArgsParser = (args: object) => ParsedArgs | Promise<ParsedArgs>

export type ParsedArgs = { readonly args: object; readonly issues?: undefined } | { readonly issues: readonly Issue[] }

/** Its parameter is bivariant, so that every tool is assignable to plain `Tool`. */
type OutputReader<Output> = { read(output: Output): unknown }['read']

export interface ToolOptions<Name extends string, Properties extends TProperties, Output, Values extends TProperties>
  extends ToolTraits {
  name: Name
  description: string
  args: TObject<Properties>
  /** Run-scoped values that `execute` finds in `context.values`; they never come from a model. */
  context?: TObject<Values> | undefined
  /** The implementation. An async generator's yields are progress, and what it returns is the output. */
  execute: (args: ValueOf<Properties>, context: ToolContext<ValueOf<Values>>) => Execution<Output>
  /** What the model sees in place of the output: a text, or any JSON value. Write it after `execute`, which gives it its type. */
  toModel?: OutputReader<NoInfer<Output>> | undefined
}

/**
 * Defines a tool. The type of `args` is inferred from the schema, the output from `execute`.
 * Throws `ToolError` with code `invalid_definition` for an illegal name, an empty description or a schema that is no object.
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

/** A definition whose types have been resolved: what `defineTool` and `defineAction` have in common. */
export interface ToolParts extends ToolTraits {
  description: string
  args: TObject
  output?: TObject | undefined
  hooks?: ActionHooks | undefined
  context?: TObject | undefined
  execute: (args: object, context: ToolContext) => unknown
  toModel?: OutputReader<unknown> | undefined
  parse?: ArgsParser | undefined
}

export function createTool<Name extends string>(name: Name, kind: Tool['kind'], parts: ToolParts): Tool<Name> {
  const define = kind === 'tool' ? 'defineTool' : 'defineAction'
  assertToolName(name, define)
  const owner = `${define}("${name}")`
  assertParts(parts, kind, owner)
  const { execute, arguments: list, ...rest } = parts
  const args = withStandard(parts.args)
  // Another library matches its patterns itself.
  if (parts.parse === undefined) assertSafePatterns(args, owner, 'args')
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

/** The implementation behind a complete context; a generator is run to its end. */
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
  if (parts.toModel !== undefined) assertFunction(parts.toModel, owner, 'toModel')
  if (parts.hooks !== undefined) assertHooks(parts.hooks, owner)
  assertTraits(parts, owner)
}

export function assertDescription(description: unknown, owner: string): void {
  if (typeof description === 'string' && description.trim() !== '') return
  throw new ToolError('invalid_definition', `${owner}: description is empty. Say in one sentence what the tool does.`)
}

export function assertFunction(value: unknown, owner: string, field: string): void {
  if (typeof value !== 'function') throw new ToolError('invalid_definition', `${owner}: ${field} is not a function.`)
}

/** A schema of another library may look like one of ours, and would be checked as something else. */
export function assertOwnSchema(args: unknown, owner: string): void {
  const vendor = foreignVendorOf(args)
  if (vendor === undefined) return
  throw new ToolError(
    'invalid_definition',
    `${owner}: args is a schema of ${vendor}. Write it with typebox, Type.Object({ … }); or define a tool with defineTool of "@x/tool-core/standard-schema", which takes schemas of other libraries.`,
  )
}

/** Throws `invalid_definition` for what has no fields to read, such as nothing. */
export function assertOptions(options: unknown, define: string): void {
  if (typeof options === 'object' && options !== null) return
  const fields = define === 'defineAction' ? 'name, description, args, output, execute' : 'name, description, args, execute'
  throw new ToolError('invalid_definition', `${define}: the definition is no object. Write ${define}({ ${fields} }).`)
}

/** An object schema without a pattern that can blow up, and none of another library; that of args is named where they are given. */
export function assertSchema(schema: unknown, owner: string, field: string): void {
  const vendor = field === 'args' ? undefined : foreignVendorOf(schema)
  if (vendor !== undefined)
    throw new ToolError(
      'invalid_definition',
      `${owner}: ${field} is a schema of ${vendor}. Write it with typebox, Type.Object({ … }).`,
    )
  assertObjectSchema(schema, owner, field)
  assertSafePatterns(schema as object, owner, field)
}

function assertObjectSchema(schema: unknown, owner: string, field: string): void {
  if (typeof schema === 'object' && schema !== null && (schema as { type?: unknown }).type === 'object') return
  throw new ToolError(
    'invalid_definition',
    `${owner}: ${field} must be an object schema, e.g. Type.Object({ city: Type.String() }).`,
  )
}
