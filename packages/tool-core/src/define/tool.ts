/** Defines the tool: a name, a description, a schema and an implementation in one object. */
import type { TObject } from 'typebox'
import type { ModelOutput } from '../content/content.ts'
import { describeValue } from '../describe-value.ts'
import { ToolError } from '../errors.ts'
import type { Accepted, SchemaArgs, SchemaInput, SchemaOutput, TypedSchema } from '../schema/kinds.ts'
import { type ArgsParser, parserOf } from '../schema/parser.ts'
import { toObjectSchema } from '../schema/read-schema.ts'
import { type ToolArgs, withStandard } from '../schema/standard-args.ts'
import { readArguments, type ToolArgument, toArguments } from './argument.ts'
import { type CallOptions, type ToolContext, toContext } from './context.ts'
import { defaultsOf, type FillDefaults } from './direct-args.ts'
import { type ActionHooks, assertHooks } from './hooks.ts'
import { assertToolName } from './name.ts'
import { type Execution, settleExecution } from './progress.ts'
import { assertTraits, type ToolTraits } from './traits.ts'

/** Marks an object as a tool, even one from another copy of this package. */
export const TOOL: unique symbol = Symbol.for('@x/tool-core/tool') as never

/**
 * A tool. `execute` is the implementation. It fills in defaults, but doesn't validate its arguments. To validate a model's call and run it,
 * use `callTool` or `dispatch`.
 */
export interface Tool<Name extends string = string, Args extends object = object, Output = unknown> extends ToolTraits {
  readonly [TOOL]: true
  /** `tool`, `action`, or a custom kind set by `deriveTool`. */
  readonly kind: string
  readonly name: Name
  readonly description: string
  /** JSON Schema of the arguments. It is also a Standard Schema. */
  readonly args: ToolArgs<Args>
  /** The arguments as a list. It's the list passed to `defineTool`, or a list derived from `args` when it's first read. */
  readonly arguments: readonly ToolArgument[]
  /** Another schema library's validator, used instead of the JSON Schema. It may transform the arguments. */
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

/**
 * Takes the type of `toModelOutput` from a method, because only a method's parameters are bivariant. Every tool is then assignable to plain
 * `Tool`.
 */
type OutputReader<Output> = { read(output: Output): ModelOutput | Promise<ModelOutput> }['read']

export interface ToolOptions<Name extends string, Args, Output, Values> extends ToolTraits {
  name: Name
  description: string
  /** An object schema: from TypeBox, zod, arktype, valibot with `toStandardJsonSchema`, or `jsonSchema({ … })`. */
  args: Accepted<Args>
  /** Schema for the run-scoped values that `execute` reads from `context.values`. They never come from the model. */
  context?: Accepted<Values> | undefined
  /** The implementation. An async generator yields progress and returns the output. */
  execute: (args: SchemaOutput<Args>, context: ToolContext<SchemaInput<Values>>) => Execution<Output>
  /**
   * Returns what the model sees instead of the output: text, content parts, or `undefined` for the output itself. Write it after `execute`,
   * because its parameter type is inferred from `execute`.
   */
  toModelOutput?: OutputReader<NoInfer<Output>> | undefined
}

/** The context schema of a tool that declares no run-scoped values. */
export type NoValues = TypedSchema<object, object>

/**
 * Defines a tool. The args get their type from the schema, and the output from `execute`. Throws a `ToolError` with code
 * `invalid_definition` for an invalid name, an empty description, or args that aren't an object schema.
 */
export function defineTool<const Name extends string, Args, Output, Values = NoValues>(
  options: ToolOptions<Name, Args, Output, Values>,
): Tool<Name, SchemaArgs<Args>, Output> {
  assertOptions(options, 'defineTool')
  return createTool(options.name, 'tool', options as unknown as ToolParts) as never
}

export function isTool(value: unknown): value is Tool {
  return typeof value === 'object' && value !== null && (value as Partial<Tool>)[TOOL] === true
}

export type NameOf<T> = T extends Tool<infer Name> ? Name : never
export type ArgsOf<T> = T extends { execute(args: infer Args extends object, context?: CallOptions): unknown } ? Args : never
export type OutputOf<T> = T extends { execute(...args: never[]): infer Output } ? Awaited<Output> : never

/** A definition without generic types. `defineTool` and `defineAction` share it. */
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

export function createTool<Name extends string>(name: Name, kind: 'tool' | 'action', parts: ToolParts): Tool<Name> {
  const define = kind === 'tool' ? 'defineTool' : 'defineAction'
  assertToolName(name, define)
  const owner = `${define}("${name}")`
  assertDescription(parts.description, owner)
  const args = withStandard(toObjectSchema(parts.args, owner, 'args'))
  const schemas = schemasOf(parts, kind, owner)
  assertParts(parts, owner)
  const { execute, arguments: stated, parse = parserOf(args), ...rest } = parts
  const list = stated && readArguments(stated, args, owner)
  return Object.freeze({
    ...rest,
    ...schemas,
    ...(parse && { parse }),
    [TOOL]: true as const,
    kind,
    name,
    args,
    get arguments() {
      return list ?? toArguments(args)
    },
    execute: toExecute(execute, args),
  })
}

/** Wraps the implementation. The wrapper fills in the defaults of a direct call, completes the context, and runs a generator to its end. */
export function toExecute(execute: ToolParts['execute'], schema: object): Tool['execute'] {
  let fill: FillDefaults | null | undefined
  return (args, context) => {
    // Computed at the first call, because a program never calls most of its tools.
    if (fill === undefined) fill = defaultsOf(schema) ?? null
    const complete = toContext(context)
    const run = (whole: object) => settleExecution(execute(whole, complete), complete)
    const whole = fill === null ? args : fill(args)
    return whole instanceof Promise ? whole.then(run) : run(whole)
  }
}

/** Returns the output schema and the context schema, each as JSON Schema. */
function schemasOf({ output, context }: ToolParts, kind: string, owner: string): Pick<ToolParts, 'output' | 'context'> {
  return {
    ...((kind === 'action' || output !== undefined) && { output: toObjectSchema(output, owner, 'output') }),
    ...(context !== undefined && { context: toObjectSchema(context, owner, 'context') }),
  }
}

function assertParts(parts: ToolParts, owner: string): void {
  assertFunction(parts.execute, owner, 'execute')
  if (parts.toModelOutput !== undefined) assertFunction(parts.toModelOutput, owner, 'toModelOutput')
  if (parts.hooks !== undefined) assertHooks(parts.hooks, owner)
  assertTraits(parts, owner)
}

export function assertDescription(description: unknown, owner: string): void {
  if (typeof description === 'string' && description.trim() !== '') return
  throw new ToolError(
    'invalid_definition',
    `${owner}: description must be a non-empty string, got ${describeValue(description)}. Describe in one sentence what the tool does.`,
  )
}

export function assertFunction(value: unknown, owner: string, field: string): void {
  if (typeof value === 'function') return
  throw new ToolError('invalid_definition', `${owner}: ${field} must be a function, got ${describeValue(value)}.`)
}

/** Maps other libraries' names for options to ours. */
const OTHER_NAMES: { readonly [name: string]: string } = {
  inputSchema: 'args',
  input_schema: 'args',
  parameters: 'args',
  schema: 'args',
  outputSchema: 'output',
  handler: 'execute',
  func: 'execute',
  run: 'execute',
}

/**
 * Throws `invalid_definition` if the definition isn't an object, or if it uses another library's name for an option, such as `parameters`
 * for `args`.
 */
export function assertOptions(options: unknown, define: string): void {
  if (typeof options === 'object' && options !== null) {
    for (const other in OTHER_NAMES) {
      const name = OTHER_NAMES[other] ?? ''
      if (other in options && !(name in options))
        throw new ToolError('invalid_definition', `${define}: ${other} is called ${name} here. Rename it.`)
    }
    return
  }
  const fields = `name, description, args, ${define === 'defineAction' ? 'output, ' : ''}execute`
  throw new ToolError(
    'invalid_definition',
    `${define}: the definition must be an object, got ${describeValue(options)}. Write ${define}({ ${fields} }).`,
  )
}
