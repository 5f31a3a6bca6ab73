/** A signature: typed fields in, typed fields out, and what to do. */
import type { Tool, ToolCall, ValueOf } from '@x/tool-core'
import type { TProperties, TUnsafe } from 'typebox'

const FIELD = 'x-field'

/** An input field that carries tools: shaped into `request.tools` or into the prompt. */
export function Tools(): TUnsafe<readonly Tool[]> {
  return { [FIELD]: 'tools' } as unknown as TUnsafe<readonly Tool[]>
}

/** An output field that carries tool calls: parsed from the response, never executed. */
export function ToolCalls(): TUnsafe<readonly ToolCall[]> {
  return { [FIELD]: 'tool_calls' } as unknown as TUnsafe<readonly ToolCall[]>
}

export interface Signature<In extends object = object, Out extends object = object> {
  readonly instructions: string
  readonly inputs: TProperties
  readonly outputs: TProperties
  /** Types only; absent at run time. */
  readonly '~types'?: { readonly in: In; readonly out: Out } | undefined
}

export type InputsOf<S extends Signature> = NonNullable<S['~types']>['in']
export type OutputsOf<S extends Signature> = NonNullable<S['~types']>['out']

/** Declares a signature. A field's `description` reaches the model. Throws for a signature without outputs. */
export function defineSignature<In extends TProperties, Out extends TProperties>(signature: {
  instructions: string
  inputs: In
  outputs: Out
}): Signature<ValueOf<In>, ValueOf<Out>> {
  if (Object.keys(signature.outputs).length === 0)
    throw new TypeError('defineSignature: outputs is empty. Declare at least one output field.')
  return signature
}

/** What a field holds: tools, tool calls, or a plain value. */
export function fieldKind(field: unknown): 'tools' | 'tool_calls' | 'value' {
  const kind = typeof field === 'object' && field !== null ? (field as Record<string, unknown>)[FIELD] : undefined
  return kind === 'tools' || kind === 'tool_calls' ? kind : 'value'
}

/** True for a field made by `Type.Optional`, which TypeBox marks so. */
export function isOptionalField(field: unknown): boolean {
  return typeof field === 'object' && field !== null && '~optional' in field
}
