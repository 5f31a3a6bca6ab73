/** The error class of the package, and the reasons for which a program fails. */

/**
 * The `code` of a `CodeError`, for the programmer.
 *
 * - `invalid_option`: an option of `codeTool` or `codeMode` is invalid or unknown. Fix: pass a value that the message describes.
 * - `missing_package`: `quickjs-wasi` can't be imported, or its WebAssembly file can't be read. `codeTool` throws it if Node can't find
 *   the package. Otherwise the run rejects with `steps_failed`, and this error is its `cause`. Fix: install it; in a browser, pass the
 *   file's URL as `wasm`.
 */
export type CodeErrorCode = 'invalid_option' | 'missing_package'

/** A programmer's mistake. The message names the option or the package, and the fix. */
export class CodeError extends Error {
  readonly code: CodeErrorCode

  constructor(code: CodeErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  override get name(): 'CodeError' {
    return 'CodeError'
  }
}

/**
 * Why a program failed. It is the `reason` of the `ToolError` that `run_code` throws. The model reads the message. A program that the
 * agent stops has a `CallErrorCode` instead, such as `nested_data_too_large` if its calls and their results exceed 16 MiB.
 *
 * - `syntax_error`: the program is neither JavaScript nor JavaScript with types, or it is nested too deeply. Nothing ran. Fix: let the model
 *   write it again. For types, install `ts-blank-space`.
 * - `program_failed`: the program threw an error, or a call failed and the program didn't catch it. Fix: let the model read the message.
 * - `never_ends`: the program awaits a promise that nothing settles. Fix: let the model write it again.
 * - `time_limit`: the program computed for longer than `limits.timeMs`. Fix: raise the limit, or let the model do less in one program.
 * - `memory_limit`: the program used more than `limits.memoryBytes`. Fix: raise the limit.
 * - `too_many_calls`: the program made more calls than `limits.calls`. Earlier calls may have taken effect. Fix: raise the limit.
 * - `output_too_large`: the result has more than `limits.outputLength` characters. Fix: raise the limit, or let the model return less.
 * - `program_too_long`: the program has more than `limits.codeLength` characters. Nothing ran. Fix: raise the limit.
 * - `sandbox_failed`: the sandbox crashed. Fix: report the bug with the program to the maintainers.
 */
export type ProgramReason =
  | 'syntax_error'
  | 'program_failed'
  | 'never_ends'
  | 'time_limit'
  | 'memory_limit'
  | 'too_many_calls'
  | 'output_too_large'
  | 'program_too_long'
  | 'sandbox_failed'

/**
 * A `code` of the error that a failed call throws in the model's program, in addition to the codes of failed calls and of the agent.
 *
 * - `tool_unavailable`: the module of the tool can't be loaded. Nothing ran. Fix: see the error of `registry.resolve`.
 */
export type ProgramCallCode = 'tool_unavailable'
