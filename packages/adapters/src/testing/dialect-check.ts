/** The subject and the checks of the dialect contract. Types only. */
import type { ToolSpec } from '@x/tool-core'
import type { Dialect } from '../dialects/define/dialect.ts'
import type { DialectCheckId } from './dialect-check-id.ts'
import type { RandomCall } from './random-calls.ts'

/** A response in a form that the dialect reads but may never write, and its expected reading. */
export interface DialectSample {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[]
  /** The text next to the calls, trimmed. Default: not checked. */
  readonly content?: string | undefined
  /** Default: not checked. */
  readonly reasoning?: string | undefined
  /** Default: one tool per call, with the types of its arguments. */
  readonly tools?: readonly ToolSpec[] | undefined
}

export interface DialectContractOptions {
  /** Forms that the dialect reads but doesn't write. Without them, only forms that it writes are checked. */
  readonly samples?: readonly DialectSample[] | undefined
  /** Number of random calls that are written and read back. The streams of the check `linear` grow with it. Default: 1,000. */
  readonly runs?: number | undefined
  /** Seed of the random choices. */
  readonly seed?: number | undefined
  /** Minimum share of random calls that the dialect must be able to write, from 0 to 1. Default: 0.5. */
  readonly leastWritten?: number | undefined
}

export interface DialectCheck {
  readonly id: DialectCheckId
  /** A sentence, for a test name. */
  readonly name: string
  /** Throws `ContractError` if the dialect breaks the rule. */
  run(): void
}

/** A sample with its calls in the form that a dialect writes. */
export interface SampleTurn {
  readonly sample: DialectSample
  readonly text: string
  readonly calls: readonly RandomCall[]
  readonly tools: readonly ToolSpec[]
}

/** The options for a check, with defaults. */
export interface DialectSubject {
  readonly dialect: Dialect
  readonly runs: number
  readonly seed: number
  readonly leastWritten: number
  /** Strings with a meaning in this dialect: its markers, as they occur in a call that it writes. */
  readonly fragments: readonly string[]
  readonly samples: readonly SampleTurn[]
}

export interface DialectCheckDefinition {
  readonly id: DialectCheckId
  readonly name: string
  check(subject: DialectSubject): void
}
