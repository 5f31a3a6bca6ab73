/** The differences between adapters: how they write a request and read a reply. Types only. */

import type { ResponseFormat } from '../protocol/protocol.ts'
import type { Signature } from '../signature/signature.ts'
import type { WrittenInputs } from '../signature/write-inputs.ts'
import type { FieldError, FieldReader, RecoveredField } from './adapter.ts'

export interface Wording {
  readonly name: string
  /** Returns the system message. If it is empty, none is sent. */
  instructions(signature: Signature): string
  /** Returns the inputs as the content of a user message. Throws a TypeError if one is missing. */
  inputs(signature: Signature, inputs: object): WrittenInputs
  /** Writes plain outputs in the form in which the model should reply. */
  outputs(signature: Signature, outputs: Readonly<Record<string, unknown>>): string
  /** Returns a prompt that asks for the outputs in a separate message. */
  describeOutputs(signature: Signature): string
  /** Returns the format that the reply must have, for APIs that can enforce it. */
  responseFormat?(signature: Signature): ResponseFormat | undefined
  /** Creates a reader that assigns streamed text to outputs. */
  readonly readFields?: ((signature: Signature) => FieldReader) | undefined
  /** Reads the plain outputs. Never throws. */
  readonly read: ReadText
}

/**
 * Reads the plain outputs from text. `isComplete` is true if the provider reported the text as complete, false if it was
 * truncated, and undefined if neither is known.
 */
export type ReadText = (signature: Signature, text: string, isComplete: boolean | undefined) => ReadOutputs

export interface ReadOutputs {
  /** Values by field, before coercion. */
  readonly values: Readonly<Record<string, unknown>>
  readonly errors: readonly FieldError[]
  readonly recovered: readonly RecoveredField[]
}
