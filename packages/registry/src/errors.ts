/** The errors of the package: a registry that cannot be made, and tools that cannot be resolved. */
import { type ResolutionCode, type ResolutionFailure, renderFailure, renderPlainly } from './resolution-failure.ts'

export type { ResolutionCode, ResolutionFailure } from './resolution-failure.ts'

/**
 * - `duplicate_tool_name`: a name, or one that differs only in case, is taken. - `invalid_entry`: no tool, toolset, factory or lazy tool,
 * or a file, folder or name that can bring none.
 * - `not_a_tool`, `not_an_action`: the other kind. - `not_found`: no such name.
 */
export type RegistryErrorCode = 'duplicate_tool_name' | 'invalid_entry' | 'not_a_tool' | 'not_an_action' | 'not_found'

/** Thrown when a registry is created or changed; nothing has been changed then. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly code: RegistryErrorCode

  constructor(code: RegistryErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Thrown inside a loader's wrapper; becomes a {@link ResolutionFailure}. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
  readonly code: Exclude<ResolutionCode, 'not_found'>

  constructor(code: LoadError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** What a loader threw, for a developer; whatever it was. */
export function describeThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown)
  } catch {
    return 'a value without a text'
  }
}

/**
 * All tools of one agent that could not be resolved. The message has four sections for each: what is missing and who asked,
 * where it was searched, near names, and the fix. `identifier`, `searched` and `suggestions` are those of the first.
 */
export class ToolResolutionError extends Error {
  override readonly name = 'ToolResolutionError'
  readonly failures: readonly ResolutionFailure[]
  /** Name of the agent that asked; absent when a registry was asked directly. */
  readonly agent: string | undefined

  constructor(failures: readonly ResolutionFailure[], agent?: string) {
    super(
      failures.map((failure) => renderFailure(failure, agent)).join('\n\n'),
      failures[0]?.cause === undefined ? undefined : { cause: failures[0].cause },
    )
    this.failures = failures
    this.agent = agent
  }

  /** The same for logs: one line for each failure, without signs or sections. */
  get plain(): string {
    return this.failures.map((failure) => renderPlainly(failure, this.agent)).join('\n')
  }

  get code(): ResolutionCode {
    return (this.failures[0] as ResolutionFailure).code
  }
  get identifier(): string {
    return (this.failures[0] as ResolutionFailure).identifier
  }
  get searched(): readonly string[] {
    return (this.failures[0] as ResolutionFailure).searched
  }
  get suggestions(): readonly string[] {
    return (this.failures[0] as ResolutionFailure).suggestions
  }
}
