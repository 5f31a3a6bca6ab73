/** The action: a tool with an output schema and hooks, usable as a step of a workflow. */
import type { TObject } from 'typebox'
import type { Accepted, SchemaArgs, SchemaOutput, SchemaResult } from '../schema/kinds.ts'
import type { ActionHooks } from './hooks.ts'
import { assertOptions, createTool, type NoValues, type Tool, type ToolOptions, type ToolParts } from './tool.ts'

export interface Action<Name extends string = string, Args extends object = object, Output extends object = object>
  extends Tool<Name, Args, Output> {
  readonly kind: 'action'
  readonly output: TObject
}

export interface ActionOptions<Name extends string, Args, Output, Values>
  extends ToolOptions<Name, Args, SchemaResult<Output>, Values> {
  /** Schema of the value that `execute` returns. The compiler and a check at run time enforce it. The value isn't transformed. */
  output: Accepted<Output>
  hooks?: ActionHooks<SchemaOutput<Args>, SchemaResult<Output>> | undefined
}

/** Defines an action: a tool with an output schema and hooks. Throws like `defineTool`. */
export function defineAction<const Name extends string, Args, Output, Values = NoValues>(
  options: ActionOptions<Name, Args, Output, Values>,
): Action<Name, SchemaArgs<Args>, SchemaResult<Output>> {
  assertOptions(options, 'defineAction')
  return createTool(options.name, 'action', options as unknown as ToolParts) as never
}
