/** Declares a method that a toolset exposes. */
import {
  type CallOptions,
  defineTool,
  type Execution,
  settleExecution,
  type Tool,
  type ToolContext,
  type ToolTraits,
  toContext,
  type ValueOf,
} from '@x/tool-core'
import type { TObject, TProperties } from 'typebox'

/** A method of a toolset: callable like any method, and exposed as a tool. */
export interface ToolMethod<
  Args extends object = object,
  Output = unknown,
  Name extends string | undefined = string | undefined,
> {
  (args: Args, context?: CallOptions): Output | Promise<Output>
  /** Definition from which the toolset makes its tool. */
  readonly [METHOD]: MethodDefinition<Name>
}

export interface MethodOptions<
  Properties extends TProperties,
  Output,
  Name extends string | undefined,
  Values extends TProperties,
> extends ToolTraits {
  /** Full tool name. Default: `{toolset}_{method}`. */
  name?: Name
  description: string
  args: TObject<Properties>
  /** Schema of run-scoped values that `execute` reads from `context.values`. */
  context?: TObject<Values> | undefined
  /** The implementation. An async generator yields progress and returns the output. */
  execute: (args: ValueOf<Properties>, context: ToolContext<ValueOf<Values>>) => Execution<Output>
  /**
   * Converts the output to what the model sees: a string or any JSON value. Write it after `execute`, from which its type is
   * inferred.
   */
  toModelOutput?: ((output: NoInfer<Output>) => unknown) | undefined
}

/**
 * Declares a toolset method as a class field. Your code calls it directly, with typed arguments and no validation; a model calls
 * it as a tool.
 */
export function method<
  Properties extends TProperties,
  Output,
  const Name extends string | undefined = undefined,
  Values extends TProperties = Record<never, never>,
>(options: MethodOptions<Properties, Output, Name, Values>): ToolMethod<ValueOf<Properties>, Output, Name> {
  const call = (args: ValueOf<Properties>, callOptions?: CallOptions) => {
    const context = toContext(callOptions)
    return settleExecution(options.execute(args, context as ToolContext<ValueOf<Values>>), context)
  }
  return Object.assign(call, { [METHOD]: options as unknown as MethodDefinition<Name> })
}

export const METHOD: unique symbol = Symbol.for('@x/toolset/method') as never

export interface MethodDefinition<Name extends string | undefined = string | undefined> extends ToolTraits {
  readonly name?: Name
  readonly description: string
  readonly args: TObject
  readonly context?: TObject | undefined
  readonly execute: (args: object, context: ToolContext) => unknown
  readonly toModelOutput?: ((output: unknown) => unknown) | undefined
}

/** `defineTool` without its type parameters. Inferring them from a schema of unknown properties costs 6,000 instantiations. */
export const toTool = defineTool as unknown as (definition: object) => Tool
