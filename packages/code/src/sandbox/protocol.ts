/** The data that a program and its host exchange. Types only: the sandbox is plain JavaScript. */
import type { Limits } from '../limits.ts'

export interface SandboxOptions {
  readonly limits: Limits
  /** The current time in the program, in milliseconds since 1970. It doesn't advance. */
  readonly now: number
  /** Seed of `Math.random`. */
  readonly seed: number
  /** URL of the engine's WebAssembly file. Default: the file of the installed package. */
  readonly wasm?: string | undefined
}

/** What the program did before it ended or had to wait for a result. The sandbox returns it as JSON. */
export interface SandboxReport {
  /** Number of results that the program has received. */
  readonly received: number
  /** New calls: number, name of the tool, and arguments. */
  readonly calls: readonly (readonly [n: number, name: string, args: unknown])[]
  /** New console output. */
  readonly log?: string | undefined
  /** True if the console has reached its limit. */
  readonly isCut?: boolean | undefined
  readonly end?: ProgramEnd | undefined
}

/** How the program ended: with its output as JSON, or without an output. */
export type ProgramEnd = FinishedEnd | FailedEnd

export interface FinishedEnd {
  readonly output: unknown
  /** True if the program returned undefined. */
  readonly isEmpty?: boolean | undefined
  /** Number of calls that were made after the program had returned, and the names of the first ones. They aren't executed. */
  readonly late?: number | undefined
  readonly lateNames?: readonly string[] | undefined
  /** Number of rejected promises that nothing handles, and the text of the first reason. */
  readonly unhandled?: number | undefined
  readonly firstUnhandled?: string | undefined
  readonly cause?: undefined
}

/**
 * Why a program has no output. `thrown`: the program threw an error. `time`, `memory`, `calls` or `output`: it exceeded that limit.
 * `waits`: it awaits something other than a call.
 */
export type EndCause = 'syntax' | 'thrown' | 'waits' | 'time' | 'memory' | 'calls' | 'output' | 'crash'

export interface FailedEnd {
  readonly output?: undefined
  readonly cause: EndCause
  readonly message?: string | undefined
  readonly code?: string | null | undefined
  readonly stack?: string | null | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly length?: number | undefined
  /** With `waits`: the same as in `FinishedEnd`. */
  readonly unhandled?: number | undefined
  readonly firstUnhandled?: string | undefined
}

/** `results`: each is the JSON of `[n, isOk, value]`. */
export type WorkerRequest =
  | { readonly code: string; readonly options: SandboxOptions; readonly results?: undefined }
  | { readonly results: readonly string[] }

/** `isReady`: the program is about to start, and its report follows. */
export type WorkerReply =
  | { readonly isReady: true }
  | { readonly report: string }
  | { readonly failure: string; readonly isMissing: boolean }
