/** What a user reads of a failure, and the exit code that follows. */
import { withoutControls } from './view/plain-text.ts'

/** Failures that are nobody's bug: their message says all, and a stack would only hide it. By name, so that nothing is imported for it. */
const EXPECTED = new Set(['UsageError', 'ToolResolutionError', 'AgentError', 'LMError', 'SqlError', 'DurableError'])

/** 2 for a wrong command line, else 1. A failure that nobody expected shows its stack, so that it can be mended. */
export function reportFailure(failure: unknown, screen: { write(text: string): unknown }): number {
  const error = rootOf(failure)
  const isExpected = error instanceof Error && EXPECTED.has(error.name)
  const text = isExpected ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
  screen.write(`${withoutControls(text)}\n`)
  return isExpected && isOfCommandLine(error) ? 2 : 1
}

/** The id of a run is a word of it too, and so is what was decided. */
function isOfCommandLine(error: Error): boolean {
  return error.name === 'UsageError' || ('code' in error && WRONG_WORDS.has(error.code))
}

const WRONG_WORDS: ReadonlySet<unknown> = new Set(['invalid_id', 'another_input', 'already_decided', 'run_ended'])

/** A model that failed says why itself. */
function rootOf(failure: unknown): unknown {
  const isModelFailure =
    failure instanceof Error && failure.name === 'AgentError' && 'code' in failure && failure.code === 'model_failed'
  return isModelFailure && failure.cause instanceof Error ? failure.cause : failure
}
