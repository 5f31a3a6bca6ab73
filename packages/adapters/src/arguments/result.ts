/** The result of parsing text: either a value and its repairs, or a refusal. */
import type { ArgumentTag } from '@x/tool-core'
import type { ArgumentErrorCode, RecoveryTag } from './tags.ts'

export interface Refusal {
  readonly ok: false
  readonly code: ArgumentErrorCode
  /** Offset of the error in UTF-16 code units. */
  readonly at: number
  /** At most 60 characters of the text around `at`. */
  readonly excerpt: string
  /** Error message for the model. Says how to correct the call. */
  readonly message: string
}

/** The change that one piece of text made to one value. */
export interface ArgumentChange {
  /** JSON pointer (RFC 6901) of the value. Empty for the arguments as a whole. */
  readonly pointer: string
  /** Text added to the string. Undefined if the value isn't a string. */
  readonly text: string | undefined
  /** True if the text of this value is complete. Later text may still make the arguments as a whole invalid. */
  readonly isComplete: boolean
  /** The value so far. A list or object is the same object as in the stream's `value` and keeps growing. */
  readonly value: unknown
}

export interface RecoveredJson {
  readonly ok: true
  readonly value: unknown
  /** Repairs in the order in which they were first made, without duplicates. Empty for valid JSON. */
  readonly tags: readonly RecoveryTag[]
}

export interface RecoveredArguments {
  readonly ok: true
  readonly value: Readonly<Record<string, unknown>>
  readonly tags: readonly RecoveryTag[]
  /** Changes that the schema required, with their paths. Empty without a schema. */
  readonly coercions: readonly ArgumentTag[]
}

export type ParsedJson = RecoveredJson | Refusal
export type ParsedArguments = RecoveredArguments | Refusal
