/** Nested calls: the calls that a tool makes while it runs, and the host that makes them for the tool. */
import type { ToolErrorCode } from '../errors.ts'
import type { Issue } from '../schema/issue.ts'
import type { Accepted } from '../schema/kinds.ts'

/** A call to another tool of the run. */
export interface NestedCall {
  readonly name: string
  /** The arguments, as JSON data. */
  readonly args?: object | undefined
}

/** A question to the user. */
export interface Question<Schema = unknown> {
  /** Identifies the question within its call. Consists of letters, digits, `_` and `-`, and starts with a letter. */
  readonly key: string
  /** The question, written for the user. */
  readonly message: string
  /** An object schema for the answer. */
  readonly schema: Accepted<Schema>
}

/**
 * Makes the nested calls of a tool with `nested`, and enforces the deadline of its `execute`. Time spent waiting for a person doesn't
 * count.
 */
export interface NestedHost {
  call(request: NestedCall): Promise<unknown>
  ask(question: Question): Promise<unknown>
}

/** A code of the agent that made the call. */
type AnyCode = string & Record<never, never>

export interface NestedCallErrorOptions {
  readonly code: ToolErrorCode | AnyCode
  /** Id of the nested call. */
  readonly callId: string
  /** The tool that was called. */
  readonly tool: string
  readonly issues?: readonly Issue[] | undefined
  /** Why the call was rejected, or the `reason` of the tool's error. */
  readonly reason?: string | undefined
}

/**
 * Error of a failed nested call. `code` is a `ToolErrorCode`, or the code of a refusal, such as `rejected`. If `execute` doesn't catch the
 * error, the outer call fails with `execution_failed`.
 */
export class NestedCallError extends Error {
  readonly code: ToolErrorCode | AnyCode
  readonly callId: string
  readonly tool: string
  readonly issues: readonly Issue[]
  declare readonly reason?: string | undefined

  constructor(message: string, { code, callId, tool, issues = [], reason }: NestedCallErrorOptions) {
    super(message)
    this.code = code
    this.callId = callId
    this.tool = tool
    this.issues = issues
    if (reason !== undefined) this.reason = reason
  }

  override get name(): 'NestedCallError' {
    return 'NestedCallError'
  }

  /** Returns the fields to log: all but the stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
