/** How an adapter words a request and reads a reply: what differs between adapters for models with function calling. Types only. */

import type { ResponseFormat } from '../protocol/protocol.ts'
import type { Signature } from '../signature/signature.ts'
import type { FieldError, FieldReader, RecoveredField } from './adapter.ts'

export interface Wording {
  readonly name: string
  /** The system message; empty for none. */
  instructions(signature: Signature): string
  /** The plain inputs as the text of a user message. Throws a TypeError for one that is missing. */
  inputs(signature: Signature, inputs: object): string
  /** Plain outputs as the model is to write them. */
  outputs(signature: Signature, outputs: Readonly<Record<string, unknown>>): string
  /** Words that ask for the outputs in a turn of their own. */
  describeOutputs(signature: Signature): string
  /** What a reply must be, where the API can hold a model to it. */
  responseFormat?(signature: Signature): ResponseFormat | undefined
  /** Tells which output each piece of a streamed reply belongs to. */
  readonly readFields?: ((signature: Signature) => FieldReader) | undefined
  /** Reads the plain outputs. Never throws. */
  readonly read: ReadText
}

/** `isComplete` is what the provider said about the end of the text; undefined when it said nothing. */
export type ReadText = (signature: Signature, text: string, isComplete: boolean | undefined) => ReadOutputs

export interface ReadOutputs {
  /** By field; not yet as their schemas ask for. */
  readonly values: Readonly<Record<string, unknown>>
  readonly errors: readonly FieldError[]
  readonly recovered: readonly RecoveredField[]
}
