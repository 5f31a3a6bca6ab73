/** A recorded failure of a step, which an engine rethrows in a later execution of the run. */
import { AgentError, type AgentErrorCode } from '../errors.ts'
import { directSteps, type Steps } from './steps.ts'

/** An error as plain data: name, message, and properties such as `code` and `status`. */
export interface FailureWords {
  readonly name: string
  readonly message: string
  readonly [property: string]: unknown
}

/** Marks recorded failures, even across two copies of this package. */
const RECORDED: unique symbol = Symbol.for('@x/react-agent/recorded-failure') as never

/**
 * Thrown by an engine that records failures, for a step that rejected in an earlier execution. The agent treats it as a failure of the
 * step. If the step wasn't executed, any other error is treated as a failure of the engine.
 */
export class RecordedFailure extends Error {
  constructor({ name, message, ...properties }: FailureWords) {
    super(message)
    Object.defineProperty(this, 'name', { value: name, configurable: true })
    for (const [property, value] of Object.entries(properties))
      Object.defineProperty(this, property, { value, enumerable: true, configurable: true })
  }

  get [RECORDED](): true {
    return true
  }
}

function isRecordedFailure(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && (error as Partial<RecordedFailure>)[RECORDED] === true
}

/** Returns the same steps, except that a recorded `AgentError` is rethrown as an `AgentError`. */
export function withRecordedFailures(steps: Steps): Steps {
  if (steps === directSteps) return steps
  return {
    run: (key, execute) =>
      steps.run(key, execute).catch((cause: unknown) => {
        throw isRecordedFailure(cause) && cause.name === 'AgentError' ? toAgentError(cause) : cause
      }),
    wait: (key, about) => steps.wait(key, about),
    ...(steps.together && { together: steps.together.bind(steps) }),
  }
}

/** Returns true for a `RecordedFailure`, and for an `AgentError` that `withRecordedFailures` restored from one. */
export function wasRecorded(error: unknown): boolean {
  return isRecordedFailure(error) || (error instanceof AgentError && isRecordedFailure(error.cause))
}

function toAgentError(cause: Error): AgentError {
  return new AgentError((cause as { code?: unknown }).code as AgentErrorCode, cause.message, { cause })
}
