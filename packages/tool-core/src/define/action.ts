/** The action: a tool with an output schema and hooks, usable as a step of a workflow. */
import type { TObject, TProperties } from 'typebox'
import type { ValueOf } from '../schema/schema.ts'
import type { ActionHooks } from './hooks.ts'
import { assertOptions, assertOwnSchema, createTool, type Tool, type ToolOptions, type ToolParts } from './tool.ts'

export interface Action<Name extends string = string, Args extends object = object, Output extends object = object>
  extends Tool<Name, Args, Output> {
  readonly kind: 'action'
  readonly output: TObject
}

export interface ActionOptions<Name extends string, In extends TProperties, Out extends TProperties, Values extends TProperties>
  extends ToolOptions<Name, In, ValueOf<Out>, Values> {
  /** Schema of the value that `execute` returns, enforced by the compiler and at run time. */
  output: TObject<Out>
  hooks?: ActionHooks<ValueOf<In>, ValueOf<Out>> | undefined
}

/** Defines an action: a tool with an output schema and hooks. Throws like `defineTool`. */
export function defineAction<
  const Name extends string,
  In extends TProperties,
  Out extends TProperties,
  Values extends TProperties = Record<never, never>,
>(options: ActionOptions<Name, In, Out, Values>): Action<Name, ValueOf<In>, ValueOf<Out>> {
  assertOptions(options, 'defineAction')
  assertOwnSchema(options.args, `defineAction(${JSON.stringify(options.name)})`)
  return createTool(options.name, 'action', options as unknown as ToolParts) as never
}
