/** The error of what a program hands to an adapter: thrown when it is defined, or before a model is asked. */

/**
 * - `invalid_tool_spec`: a value in a tool field is no tool, or an incomplete one; `field` and `path` say which.
 * - `invalid_tool_fields`: the tool fields of a signature do not fit together, or two of their tools have one name.
 * - `invalid_instructions`: a custom adapter gave no text, or cannot write what it was asked to; `cause` is what it threw.
 */
export type AdapterErrorCode = 'invalid_tool_spec' | 'invalid_tool_fields' | 'invalid_instructions'

export interface AdapterErrorOptions {
  /** The signature's field that it is about. */
  readonly field?: string | undefined
  /** JSON pointer from the inputs to what is wrong: `/tools/1/description`. */
  readonly path?: string | undefined
  readonly cause?: unknown
}

/** Marks the errors of this package, also across two copies of it. */
const ADAPTER_ERROR: unique symbol = Symbol.for('@x/adapters/error') as never

/** True for an `AdapterError` of any copy of this package. */
export function isAdapterError(thrown: unknown): thrown is AdapterError {
  return thrown instanceof Error && (thrown as Partial<AdapterError>)[ADAPTER_ERROR] === true
}

/** The programmer's mistake, for developers; what a model did wrong is a `FieldError` in what `parse` gives. */
export class AdapterError extends Error {
  readonly code: AdapterErrorCode
  declare readonly field?: string | undefined
  declare readonly path?: string | undefined

  constructor(code: AdapterErrorCode, message: string, { field, path, cause }: AdapterErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    if (field !== undefined) this.field = field
    if (path !== undefined) this.path = path
  }

  override get name(): 'AdapterError' {
    return 'AdapterError'
  }

  get [ADAPTER_ERROR](): true {
    return true
  }

  /** For logs: what the error says, without its cause and its stack. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
