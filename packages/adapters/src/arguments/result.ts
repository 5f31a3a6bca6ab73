/** The result of parsing text: a value with its repairs, or a refusal with its position. */
import type { ArgumentTag } from '@x/tool-core'
import type { ArgumentErrorCode, RecoveryTag } from './tags.ts'

export interface Refusal {
  readonly ok: false
  readonly code: ArgumentErrorCode
  /** Offset in UTF-16 units. */
  readonly at: number
  /** At most 60 characters of the text around `at`. */
  readonly excerpt: string
  /** An error message from which a model can correct its call. */
  readonly message: string
}

/** A change that one delta made at one position. */
export interface ArgumentChange {
  /** JSON pointer (RFC 6901) of the value; empty for the arguments themselves. */
  readonly pointer: string
  /** Text added to the string at this position; undefined if the value isn't a string. */
  readonly text: string | undefined
  /** True if the text of this value is complete. Later text may still make the whole invalid. */
  readonly isComplete: boolean
  /** The value so far. A list or an object is the same object as in the stream's `value`, and continues to grow. */
  readonly value: unknown
}

export interface RecoveredJson {
  readonly ok: true
  readonly value: unknown
  /** In the order of their first occurrence, without duplicates; empty for valid JSON. */
  readonly tags: readonly RecoveryTag[]
}

export interface RecoveredArguments {
  readonly ok: true
  readonly value: Readonly<Record<string, unknown>>
  readonly tags: readonly RecoveryTag[]
  /** Changes required by the schema, with their paths. Empty without a schema. */
  readonly coercions: readonly ArgumentTag[]
}

export type ParsedJson = RecoveredJson | Refusal
export type ParsedArguments = RecoveredArguments | Refusal
