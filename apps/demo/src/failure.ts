/** Prints a failure for the user and returns the exit code. */
import { withoutControls } from './view/plain-text.ts'

/** An invalid command line. The message is one line for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Errors that are printed without a stack, because their messages suffice. They are matched by name, so that their classes don't have to
 * be imported.
 */
const EXPECTED = new Set(['UsageError', 'ToolResolutionError', 'AgentError', 'LMError', 'SqlError', 'DurableError', 'McpError'])

/** Prints a failure, with the stack if it is unexpected. Returns 2 for an invalid command line, and otherwise 1. */
export function reportFailure(failure: unknown, screen: { write(text: string): unknown }): number {
  const error = rootOf(failure)
  const isExpected = error instanceof Error && EXPECTED.has(error.name)
  const text = isExpected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  screen.write(`${withoutControls(text)}\n`)
  return isExpected && isOfCommandLine(error) ? 2 : 1
}

/** Returns true for an error about the command line, including the run id and the decision in it. */
function isOfCommandLine(error: Error): boolean {
  return error.name === 'UsageError' || ('code' in error && WRONG_WORDS.has(error.code))
}

const WRONG_WORDS: ReadonlySet<unknown> = new Set(['invalid_id', 'another_input', 'already_decided', 'run_ended'])

/** Returns the cause of a model failure, which contains the reason. Returns other failures unchanged. */
function rootOf(failure: unknown): unknown {
  const isModelFailure =
    failure instanceof Error && failure.name === 'AgentError' && 'code' in failure && failure.code === 'model_failed'
  return isModelFailure && failure.cause instanceof Error ? failure.cause : failure
}
