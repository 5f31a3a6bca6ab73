/** Types of the dialect contract: its checks and their arguments. */
import type { ToolSpec } from '@x/tool-core'
import type { Dialect } from '../dialects/define/dialect.ts'
import type { DialectCheckId } from './dialect-check-id.ts'
import type { RandomCall } from './random-calls.ts'

/** A response that the dialect must be able to read, even if it never writes this form, and the expected result. */
export interface DialectSample {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly args: Readonly<Record<string, unknown>> }[]
  /** The expected text next to the calls, trimmed. Default: not checked. */
  readonly content?: string | undefined
  /** The expected reasoning. Default: not checked. */
  readonly reasoning?: string | undefined
  /** The tools of the request. Default: one tool per call, with the types of its arguments. */
  readonly tools?: readonly ToolSpec[] | undefined
}

export interface DialectContractOptions {
  /**
   * Samples of forms that the dialect reads but doesn't write. Default: none; only forms that the dialect writes are then
   * checked.
   */
  readonly samples?: readonly DialectSample[] | undefined
  /** Number of random calls to write and parse back. The streams in the check `linear` also grow with it. Default: 1,000. */
  readonly runs?: number | undefined
  /** Seed for the random choices. Default: 1. */
  readonly seed?: number | undefined
  /** Minimum share of random calls that the dialect must be able to write, from 0 to 1. Default: 0.5. */
  readonly leastWritten?: number | undefined
}

export interface DialectCheck {
  readonly id: DialectCheckId
  /** A sentence that describes the rule, for use as a test name. */
  readonly name: string
  /** Throws `ContractError` if the dialect breaks the rule. */
  run(): void
}

/** A sample's calls and tools, in the same form as a turn that the dialect writes. */
export interface SampleTurn {
  readonly sample: DialectSample
  readonly text: string
  readonly calls: readonly RandomCall[]
  readonly tools: readonly ToolSpec[]
}

/** The argument of a check: the dialect, and the options with their defaults. */
export interface DialectSubject {
  readonly dialect: Dialect
  readonly runs: number
  readonly seed: number
  readonly leastWritten: number
  /** Strings with a meaning in this dialect, such as the markers of a call that it writes. */
  readonly fragments: readonly string[]
  readonly samples: readonly SampleTurn[]
}

export interface DialectCheckDefinition {
  readonly id: DialectCheckId
  readonly name: string
  check(subject: DialectSubject): void
}
