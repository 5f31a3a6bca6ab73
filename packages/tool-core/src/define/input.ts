/** Input from the user in the middle of a call: the tool ends its execution with questions, and is executed again with the answers. */
import { ToolError } from '../errors.ts'

/** A question to the user, as plain data. */
export interface InputQuestion {
  /** Identifies the question within its execution. Consists of letters, digits, `_` and `-`, and starts with a letter. */
  readonly key: string
  /** The question, written for the user. */
  readonly message: string
  /** JSON Schema of the answer, which must be an object. */
  readonly schema: object
}

/** What an execution receives from the previous one, which ended with `InputRequired`. */
export interface GivenInput {
  /** The state that the previous execution passed to `InputRequired`. */
  readonly state: unknown
  /** The validated answers by key, or `null` for each question that the user declined to answer. */
  readonly answers: { readonly [key: string]: object | null }
}

/** Passed by callers that can wait for answers, such as agents. The answers may take days, and may arrive in another process. */
export interface InputRounds {
  /** The state of the previous execution and the answers to its questions. Undefined in the first execution of a call. */
  readonly given?: GivenInput | undefined
}

/**
 * Thrown by `execute` when it can't continue without answers from the user. Throw it only if `inputOf(context)` isn't undefined. The caller
 * records the questions and the state, asks the user, and executes the tool again. The new execution finds the state and the answers in
 * `inputOf(context).given`. Nothing else is kept, and earlier executions aren't repeated. Meant for bridges to protocols that ask in this
 * way; in your own tools, use `context.ask`.
 */
export class InputRequired extends ToolError {
  readonly questions: readonly InputQuestion[]
  readonly #state: unknown

  /** `state` must be JSON data. */
  constructor(message: string, questions: readonly InputQuestion[], state: unknown) {
    super('input_required', message)
    this.questions = questions
    this.#state = state
  }

  /** Stored in a private field, because it may contain secrets that logs must not contain. */
  get state(): unknown {
    return this.#state
  }
}

/** True for an `InputRequired` from any copy of this package. */
export function isInputRequired(error: ToolError): error is InputRequired {
  return error.code === 'input_required' && Array.isArray((error as { readonly questions?: unknown }).questions)
}
