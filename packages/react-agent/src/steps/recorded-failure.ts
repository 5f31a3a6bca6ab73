/** A failure of a step that an engine tells again, in a later execution of the run. */
import { AgentError, type AgentErrorCode } from '../errors.ts'
import { directSteps, type Steps } from './steps.ts'

/** What is known of an error as plain data: name, message, and properties such as `code` and `status`. */
export interface FailureWords {
  readonly name: string
  readonly message: string
  readonly [property: string]: unknown
}

/** Marks them, also across two copies of this package. */
const RECORDED: unique symbol = Symbol.for('@x/react-agent/recorded-failure') as never

/**
 * What an engine rejects with that records failures, in the place of the error that a step rejected with in an earlier execution. The
 * agent takes it for the failure of the step; anything else, where the step was not executed, for one of the engine.
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

export function isRecordedFailure(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && (error as Partial<RecordedFailure>)[RECORDED] === true
}

/** The same steps; an error of the agent that was recorded comes back as one. */
export function withRecordedFailures(steps: Steps): Steps {
  if (steps === directSteps) return steps
  return {
    run: (key, execute) =>
      steps.run(key, execute).catch((cause: unknown) => {
        throw isRecordedFailure(cause) && cause.name === 'AgentError' ? toAgentError(cause) : cause
      }),
    wait: (key, about) => steps.wait(key, about),
  }
}

/** True for what `withRecordedFailures` makes of one as well. */
export function wasRecorded(error: unknown): boolean {
  return isRecordedFailure(error) || (error instanceof AgentError && isRecordedFailure(error.cause))
}

function toAgentError(cause: Error): AgentError {
  return new AgentError((cause as { code?: unknown }).code as AgentErrorCode, cause.message, { cause })
}
