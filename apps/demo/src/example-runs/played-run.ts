/** Runs an example and collects its events, calls and result. */
import { AgentError, type AgentEvent, type AgentRun } from '@x/react-agent'
import type { DemoSignature } from '../agent/demo-agent.ts'
import { type MadeCall, noteCall } from '../agent/made-calls.ts'
import type { RequestRecord } from '../agent/session.ts'

export type DemoResult = Awaited<AgentRun<DemoSignature>>

/** A run's result, or the error that ended the run. */
export type End =
  | { readonly result: DemoResult; readonly error?: undefined }
  | { readonly error: AgentError; readonly result?: undefined }

/** Runs the example. Rejects if the model fails or the caller aborts. */
export async function playRun(
  run: AgentRun<DemoSignature>,
  calls: Map<string, MadeCall>,
  onEvent: (event: AgentEvent) => void,
): Promise<End> {
  try {
    for await (const event of run.stream()) {
      noteCall(calls, event)
      onEvent(event)
    }
    return { result: await run }
  } catch (error) {
    if (error instanceof AgentError && ENDS.has(error.code)) return { error }
    throw error
  }
}

/** Returns the record of the request. If there is no answer, the error message is used instead. */
export function toRecord({ result, error }: End, calls: ReadonlyMap<string, MadeCall>): Omit<RequestRecord, 'ms'> {
  const answer = result === undefined ? error.message : result.outputs.answer
  return { answer, answered: result !== undefined, calls: [...calls.values()] }
}

const ENDS: ReadonlySet<string> = new Set([
  'approval_required',
  'invalid_paused_run',
  'budget_exceeded',
  'max_steps',
  'invalid_output',
])
