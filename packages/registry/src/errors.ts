/** The errors of this package, for incorrect use of a registry and for tools that can't be resolved. */
import { type ResolutionCode, type ResolutionFailure, renderFailure, renderPlainly } from './resolve/resolution-failure.ts'

export type { ResolutionCode, ResolutionFailure } from './resolve/resolution-failure.ts'

/**
 * The `code` of a `RegistryError`, meant for the programmer.
 *
 * - `duplicate_tool_name`: two tools have the same name, or names that differ only in case. Fix: rename or remove one, or call `replace`.
 * - `invalid_entry`: an entry, tool card, resolver, parent, file, folder or option is invalid. Fix: pass what the message asks for.
 * - `not_a_tool`: `registerTool` was passed something that isn't a plain tool, such as an action. Fix: call `register`.
 * - `not_an_action`: `registerAction` was passed something that isn't an action, such as a plain tool. Fix: call `register`.
 * - `not_found`: no entry has the name to replace or alias. Or a search's `rank` function returned a name that wasn't among the tool
 *   cards passed to it. Fix: use a name from `names`, or let `rank` return only names of those cards.
 */
export type RegistryErrorCode = 'duplicate_tool_name' | 'invalid_entry' | 'not_a_tool' | 'not_an_action' | 'not_found'

/**
 * A programmer's mistake with a registry. The message names the function, the entries and the fix. Thrown by `createRegistry`, by the
 * functions that define an entry (`lazy`, `lazyToolset`, `tool`, `defineToolFactory`, `fromGlob`, `fromFolder`), and by the methods that
 * change a registry. A method that throws has changed nothing. `resolveFor`, `search` and the fingerprint functions reject with this error.
 * If a tool can't be resolved, the error is a {@link ToolResolutionError} instead.
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

  /** Returns the fields to log: the message and the code, without the cause and the stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}

/** Thrown if a tool can't be loaded. A resolution converts it to a {@link ResolutionFailure}. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
  readonly code: Exclude<ResolutionCode, 'not_found'>
  /** How to fix the problem, if the code alone isn't enough. */
  readonly fix: string | undefined

  constructor(code: LoadError['code'], message: string, { cause, fix }: { cause?: unknown; fix?: string | undefined } = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.fix = fix
  }
}

/** Maximum number of characters of a thrown error's text in a message. */
const MAX_THROWN = 2_000

/** Formats a thrown value for a developer. Never throws. The full value is the error's cause. */
export function describeThrown(thrown: unknown): string {
  try {
    const text = String(thrown instanceof Error ? thrown.message : thrown)
    return text.length > MAX_THROWN ? `${text.slice(0, MAX_THROWN)}… [${text.length} characters in total]` : text
  } catch {
    return UNREADABLE
  }
}

const UNREADABLE = 'a value that cannot be converted to a string'

/** Describes the kind of an invalid value, for messages such as `got an array`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'an array'
  return value instanceof Promise ? 'a promise. Await it first' : `a value of type ${typeof value}`
}

/** Returns a thrown value. If the value can't even be inspected, such as a revoked proxy, returns an error in its place. */
export function readable(thrown: unknown): unknown {
  try {
    void (thrown instanceof Error)
    return thrown
  } catch {
    return new Error(UNREADABLE)
  }
}

/**
 * Reports all tools of an agent that couldn't be resolved. For each tool, the message has four sections: the tool and the agent, the places
 * that were searched, similar names, and the fix. `code`, `identifier`, `searched` and `suggestions` come from the first failure.
 */
export class ToolResolutionError extends Error {
  readonly failures: readonly ResolutionFailure[]
  /** Name of the agent. Absent if your own code called the registry. */
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

  /** Returns the fields to log. The message lists every failure. */
  toJSON(): object {
    return { name: this.name, code: this.code, message: this.message, agent: this.agent }
  }

  /** The message for logs: one line per failure, without emoji or sections. */
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
