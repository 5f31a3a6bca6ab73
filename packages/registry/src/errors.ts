/** The errors of the package: a registry that cannot be made, and tools that cannot be resolved. */
import { type ResolutionCode, type ResolutionFailure, renderFailure, renderPlainly } from './resolve/resolution-failure.ts'

export type { ResolutionCode, ResolutionFailure } from './resolve/resolution-failure.ts'

/**
 * - `duplicate_tool_name`: a name, or one that differs only in case, is taken; of two tools that are fingerprinted too.
 * - `invalid_entry`: no tool, toolset, factory or lazy tool, or a file, folder, card, resolver, parent or option that can be none.
 * - `not_a_tool`, `not_an_action`: `registerTool` was given an action, or `registerAction` a light tool.
 * - `not_found`: there is no entry of the name that is replaced or gets an alias, or no card of the name that a `rank` gave.
 */
export type RegistryErrorCode = 'duplicate_tool_name' | 'invalid_entry' | 'not_a_tool' | 'not_an_action' | 'not_found'

/**
 * A programmer's mistake with a registry. Thrown by what defines (`lazy`, `lazyToolset`, `tool`, `defineToolFactory`, `fromGlob`,
 * `fromFolder`), by `createRegistry`, and by the methods that change a registry, which have then changed nothing; `resolveFor`,
 * `search` and the functions for fingerprints reject with it. Carries the `code`; the message names what threw it, the entries that
 * it is about, and the fix. A tool that cannot be resolved is a {@link ToolResolutionError}.
 */
export class RegistryError extends Error {
  readonly code: RegistryErrorCode

  constructor(code: RegistryErrorCode, message: string) {
    super(message)
    this.code = code
  }

  override get name(): 'RegistryError' {
    return 'RegistryError'
  }

  /** For logs: what the error says, without its cause and its stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}

/** Thrown inside a loader's wrapper; becomes a {@link ResolutionFailure}. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
  readonly code: Exclude<ResolutionCode, 'not_found'>
  /** The way out, where the code alone does not tell it. */
  readonly fix: string | undefined

  constructor(code: LoadError['code'], message: string, { cause, fix }: { cause?: unknown; fix?: string | undefined } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.fix = fix
  }
}

/** Characters of what a loader threw that a message holds. */
const MAX_THROWN = 2_000

/** What a loader threw, for a developer; whatever it was. The whole of it is the cause. */
export function describeThrown(thrown: unknown): string {
  try {
    const text = String(thrown instanceof Error ? thrown.message : thrown)
    return text.length > MAX_THROWN ? `${text.slice(0, MAX_THROWN)}… [${text.length} characters in all]` : text
  } catch {
    return UNREADABLE
  }
}

const UNREADABLE = 'a value without a text'

/** The same, unless it cannot even be asked for its class, as a revoked proxy can't. */
export function readable(thrown: unknown): unknown {
  try {
    void (thrown instanceof Error)
    return thrown
  } catch {
    return new Error(UNREADABLE)
  }
}

/**
 * All tools of one agent that could not be resolved. The message has four sections for each: what is missing and who asked,
 * where it was searched, near names, and the fix. `identifier`, `searched` and `suggestions` are those of the first.
 */
export class ToolResolutionError extends Error {
  readonly failures: readonly ResolutionFailure[]
  /** Name of the agent that asked; absent when a registry was asked directly. */
  declare readonly agent?: string | undefined

  constructor(failures: readonly ResolutionFailure[], agent?: string) {
    super(
      failures.map((failure) => renderFailure(failure, agent)).join('\n\n'),
      failures[0]?.cause === undefined ? undefined : { cause: failures[0].cause },
    )
    this.failures = failures
    if (agent !== undefined) this.agent = agent
  }

  override get name(): 'ToolResolutionError' {
    return 'ToolResolutionError'
  }

  /** For logs: the message has every failure. */
  toJSON(): object {
    return { name: this.name, code: this.code, message: this.message, agent: this.agent }
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
