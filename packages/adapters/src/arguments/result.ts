/** What reading a text gives: a value with what was repaired, or a refusal with its place. */
import type { ArgumentTag } from '@x/tool-core'
import type { ArgumentErrorCode, RecoveryTag } from './tags.ts'

export interface Refusal {
  readonly ok: false
  readonly code: ArgumentErrorCode
  /** Offset in UTF-16 units. */
  readonly at: number
  /** At most 60 characters of the text around `at`. */
  readonly excerpt: string
  /** A sentence that lets a model repair its own call. */
  readonly message: string
}

/** What one delta did at one place. */
export interface ArgumentChange {
  /** JSON pointer (RFC 6901) of the place; empty for the arguments themselves. */
  readonly pointer: string
  /** What was added to the text at this place; undefined for what is no text. */
  readonly text: string | undefined
  /** True when the text of this value is over. What follows may still make the whole unreadable. */
  readonly isComplete: boolean
  /** The value so far. A list or an object is the one in `value` of the stream, and goes on growing. */
  readonly value: unknown
}

export interface RecoveredJson {
  readonly ok: true
  readonly value: unknown
  /** In the order in which they came up, each once; none for a text that is JSON. */
  readonly tags: readonly RecoveryTag[]
}

export interface RecoveredArguments {
  readonly ok: true
  readonly value: Readonly<Record<string, unknown>>
  readonly tags: readonly RecoveryTag[]
  /** What was changed because the schema asks for it, with its place. Empty without a schema. */
  readonly coercions: readonly ArgumentTag[]
}

export type ParsedJson = RecoveredJson | Refusal
export type ParsedArguments = RecoveredArguments | Refusal
