/**
 * The error for invalid values that a caller passes to this package. Thrown when a signature is defined, or before the model is
 * called.
 */

/**
 * The `code` of an `AdapterError`, meant for the programmer.
 *
 * - `invalid_tool_spec`: a value in a tool field isn't a complete tool. Fix: create the tool with `defineTool`. `field` and
 *   `path` show where the value is.
 * - `invalid_tool_fields`: the tool fields of a signature are inconsistent, or two tools have the same name. Fix: declare
 *   `Tools()` as an input and `ToolCalls()` as one output, or rename one of the tools.
 * - `invalid_instructions`: `formatInstructions` or `formatOutputs` of a custom adapter threw, or didn't return a string. Fix: return a
 *   string. If it threw, see `cause`.
 * - `unsupported_by_model`: the model doesn't accept the request on this API. Fix: use the wire format or the kind of model that
 *   the message names, or set `facts` in `createLM` if your host differs.
 */
export type AdapterErrorCode = 'invalid_tool_spec' | 'invalid_tool_fields' | 'invalid_instructions' | 'unsupported_by_model'

export interface AdapterErrorOptions {
  /** The signature field that contains the error. */
  readonly field?: string | undefined
  /** JSON pointer from the inputs to the invalid value: `/tools/1/description`. */
  readonly path?: string | undefined
  readonly cause?: unknown
}

/**
 * Marks the errors of this package. The symbol is registered globally, so that errors from another copy of the package are
 * recognized too.
 */
const ADAPTER_ERROR: unique symbol = Symbol.for('@x/adapters/error') as never

/** Returns true for an `AdapterError` from any copy of this package. */
export function isAdapterError(thrown: unknown): thrown is AdapterError {
  return thrown instanceof Error && (thrown as Partial<AdapterError>)[ADAPTER_ERROR] === true
}

/** Thrown for a programmer's mistake. A model's mistakes are returned by `parse` as `FieldError` values. */
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

  /** Returns the error without its cause and stack, for logs. */
  toJSON(): object {
    return { name: this.name, message: this.message, ...(this as object) }
  }
}
