/** What the contract of dialects is about, and its checks. Types only. */
import type { ToolSpec } from '@x/tool-core'
import type { Dialect } from '../dialects/dialect.ts'
import type { DialectCheckId } from './dialect-check-id.ts'
import type { RandomCall } from './random-calls.ts'

/** A response in a form that the dialect reads and may never write, and what it is. */
export interface DialectSample {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[]
  /** The text beside the calls, trimmed. Default: not checked. */
  readonly content?: string | undefined
  /** Default: not checked. */
  readonly reasoning?: string | undefined
  /** Default: one tool for each call, with the types that its arguments have. */
  readonly tools?: readonly ToolSpec[] | undefined
}

export interface DialectContractOptions {
  /** Forms that the dialect reads and doesn't write. Without them, only what it writes is checked. */
  readonly samples?: readonly DialectSample[] | undefined
  /** How many random calls are written and read again. The streams of the check `linear` grow with it. Default: 1,000. */
  readonly runs?: number | undefined
  /** Of the random choices; the same seed gives the same ones. */
  readonly seed?: number | undefined
  /** The least share of random calls that the dialect can write, from 0 to 1; a half unless told. */
  readonly leastWritten?: number | undefined
}

export interface DialectCheck {
  readonly id: DialectCheckId
  /** A sentence, for the name of a test. */
  readonly name: string
  /** Throws `ContractError` when the dialect breaks the rule. */
  run(): void
}

/** A sample with its calls in the form of those that a dialect writes. */
export interface SampleTurn {
  readonly sample: DialectSample
  readonly text: string
  readonly calls: readonly RandomCall[]
  readonly tools: readonly ToolSpec[]
}

/** What a check is about: the options with their defaults. */
export interface DialectSubject {
  readonly dialect: Dialect
  readonly runs: number
  readonly seed: number
  readonly leastWritten: number
  /** Texts that mean something in this dialect: its markers, as they stand in a call that it writes. */
  readonly fragments: readonly string[]
  readonly samples: readonly SampleTurn[]
}

export interface DialectCheckDefinition {
  readonly id: DialectCheckId
  readonly name: string
  check(subject: DialectSubject): void
}
