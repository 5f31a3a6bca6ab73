/** What crosses the border between a program and its host. Types only: the sandbox is plain JavaScript. */
import type { Limits } from '../limits.ts'

export interface SandboxOptions {
  readonly limits: Limits
  /** The time that the program sees, in milliseconds since 1970. */
  readonly now: number
  /** Seed of `Math.random`. */
  readonly seed: number
  /** Where the WebAssembly file of the engine is. Default: the file of the installed package. */
  readonly wasm?: string | undefined
}

/** What the program did until it had to wait for a result. */
export interface SandboxReport {
  /** New calls: number, name of the tool, and arguments as JSON text. */
  readonly calls: readonly (readonly [n: number, name: string, json: string])[]
  /** Number of calls without a result. */
  readonly waiting: number
  /** New text of the console. */
  readonly log: string
  /** True if the console has reached its limit. */
  readonly isCut: boolean
  readonly end?: ProgramEnd | undefined
}

/** How the program ended: with an output, as JSON text, or without one. */
export type ProgramEnd = { readonly output: string; readonly cause?: undefined } | FailedEnd

/** Why a program has no output. `thrown`: it threw an error. `time`, `memory`, `calls`, `output`: a limit was exceeded. */
export type EndCause = 'syntax' | 'thrown' | 'time' | 'memory' | 'calls' | 'output' | 'crash'

export interface FailedEnd {
  readonly output?: undefined
  readonly cause: EndCause
  readonly message?: string | undefined
  readonly code?: string | null | undefined
  readonly stack?: string | null | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly length?: number | undefined
}

export type WorkerRequest =
  | { readonly type: 'start'; readonly code: string; readonly options: SandboxOptions }
  | { readonly type: 'settle'; readonly n: number; readonly isOk: boolean; readonly json: string }

/** `isReady` means that the program starts. Its report follows. */
export type WorkerReply =
  | { readonly isReady: true }
  | { readonly report: SandboxReport }
  | { readonly failure: string; readonly isMissing: boolean }
