/** Declares a method that a toolset exposes. */
import {
  type Accepted,
  type CallOptions,
  defineTool,
  type Execution,
  type ModelOutput,
  type NoValues,
  readSchema,
  type SchemaArgs,
  type SchemaInput,
  type SchemaOutput,
  type Tool,
  type ToolContext,
  type ToolTraits,
  toExecute,
} from '@x/tool-core'

/** A method of a toolset. Your code calls it like any method, and a model calls it as a tool. */
export interface ToolMethod<
  Args extends object = object,
  Output = unknown,
  Name extends string | undefined = string | undefined,
> {
  (args: Args, context?: CallOptions): Output | Promise<Output>
  /** The definition that the toolset creates a tool from. */
  readonly [METHOD]: MethodDefinition<Name>
}

export interface MethodOptions<Args, Output, Name extends string | undefined, Values> extends ToolTraits {
  /** The full name of the tool. Default: `{toolset}_{method}`. */
  name?: Name
  description: string
  /** An object schema: from TypeBox, zod, arktype, valibot with `toStandardJsonSchema`, or `jsonSchema({ … })`. */
  args: Accepted<Args>
  /** Schema for run-scoped values that `execute` reads from `context.values`. */
  context?: Accepted<Values> | undefined
  /** The implementation. An async generator yields progress and returns the output. */
  execute: (args: SchemaOutput<Args>, context: ToolContext<SchemaInput<Values>>) => Execution<Output>
  /**
   * Returns what the model sees instead of the output: text, content parts, or `undefined` for the output itself. Write it after `execute`,
   * because its parameter type is inferred from `execute`.
   */
  toModelOutput?: ((output: NoInfer<Output>) => ModelOutput | Promise<ModelOutput>) | undefined
}

/**
 * Declares a method of a toolset, as a field of its class. Your code calls the method directly, with typed arguments and defaults but
 * without validation. A model calls it as a tool.
 */
export function method<Args, Output, const Name extends string | undefined = undefined, Values = NoValues>(
  options: MethodOptions<Args, Output, Name, Values>,
): ToolMethod<SchemaArgs<Args>, Output, Name> {
  let execute: Tool['execute'] | undefined
  const call = (args: object, callOptions?: CallOptions) => {
    // Reads the schema at the first call. An invalid schema was already refused when the toolset created its tools.
    execute ??= toExecute(
      (whole, context) => options.execute(whole as never, context as never),
      readSchema(options.args).schema ?? {},
    )
    return execute(args, callOptions) as Output | Promise<Output>
  }
  return Object.assign(call, { [METHOD]: options as unknown as MethodDefinition<Name> })
}

export const METHOD: unique symbol = Symbol.for('@x/toolset/method') as never

export interface MethodDefinition<Name extends string | undefined = string | undefined> extends ToolTraits {
  readonly name?: Name
  readonly description: string
  readonly args: object
  readonly context?: object | undefined
  readonly execute: (args: object, context: ToolContext) => unknown
  readonly toModelOutput?: ((output: unknown) => unknown) | undefined
}

/** `defineTool` without type parameters. Inferring them from a schema with unknown properties would take 6,000 instantiations. */
export const toTool = defineTool as unknown as (definition: object) => Tool
