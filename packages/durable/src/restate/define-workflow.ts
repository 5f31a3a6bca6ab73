/** The Restate service of the runs. It has one handler that executes a run, and one that records decisions. */
import type { WorkflowContext, WorkflowDefinition, WorkflowSharedContext } from '@restatedev/restate-sdk'
import type { RunFunction } from '../engine/engine.ts'
import { toFailure } from '../engine/failure.ts'
import { isMisfit, isNotLoaded } from '../engine/is-pause.ts'
import { notLoaded } from '../engine/run-errors.ts'
import type { RunFailure } from '../errors.ts'
import { Attempt } from './attempt.ts'
import { FAILURE_KEY, readInput, readNamedDecision, textSerde, toOutputText } from './envelopes.ts'
import { assertFits } from './fitting.ts'
import type { RestateSdk } from './load-sdk.ts'
import type { CheckedOptions } from './options.ts'
import type { OwnInputs } from './own-input.ts'
import { settingsOf } from './register.ts'

export interface WorkflowParts<Input, Output> {
  readonly sdk: RestateSdk
  readonly options: CheckedOptions<Input, Output>
  readonly fn: RunFunction<Input, Output>
  /** The attempts that this worker is executing. */
  readonly attempts: Set<Attempt<Input, Output>>
  readonly inputs: OwnInputs
  /** Makes the server pause a run whose records don't fit the program. Resolves to the error to throw. */
  hold(invocation: string, id: string, reason: RunFailure): Promise<Error>
  /** Called with the original error of a run that failed. */
  onFailure(id: string, cause: unknown): void
}

export function defineWorkflow<Input, Output>(parts: WorkflowParts<Input, Output>): WorkflowDefinition<string, unknown> {
  const { sdk, options } = parts
  const { handlers } = sdk
  const { name, retentionMs } = options
  return sdk.workflow({
    name,
    metadata: { settings: settingsOf(options) },
    handlers: {
      run: handlers.workflow.workflow({ input: textSerde, output: textSerde }, (context: WorkflowContext, input: string) =>
        run(parts, context, input),
      ),
      decide: handlers.workflow.shared(
        { input: textSerde, idempotencyRetention: retentionMs },
        (context: WorkflowSharedContext, text: string) => decide(sdk, context, text),
      ),
    },
    options: {
      workflowRetention: retentionMs,
      journalRetention: retentionMs,
      // After this time without a message, the server takes the run back. Of several running steps, only the first to end would
      // then be recorded.
      inactivityTimeout: MOST_OF_A_STEP,
      abortTimeout: MOST_OF_A_STEP,
      retryPolicy: { initialInterval: 100, exponentiationFactor: 2, maxInterval: 5000, maxAttempts: FOR_EVER },
    },
  }) as WorkflowDefinition<string, unknown>
}

const MOST_OF_A_STEP = 24 * 60 * 60 * 1000

/** Effectively unlimited attempts, so that no run is abandoned while workers are unavailable. */
const FOR_EVER = Number.MAX_SAFE_INTEGER

async function run<Input, Output>(
  { sdk, options, fn, attempts, inputs, hold, onFailure }: WorkflowParts<Input, Output>,
  context: WorkflowContext,
  text: string,
): Promise<string> {
  const { attemptCompletedSignal, attemptHeaders } = context.request()
  const { maxRecordBytes } = options
  const attempt = new Attempt<Input, Output>(sdk, context, maxRecordBytes, () => inputs.end(attemptHeaders))
  const lose = () => {
    attempts.delete(attempt)
    attempt.lose()
  }
  attemptCompletedSignal.addEventListener('abort', lose, { once: true })
  attempts.add(attempt)
  try {
    const output = toOutputText(await attempt.play(fn, readInput(text) as Input))
    return assertFits(output, maxRecordBytes, 'The output of the run')
  } catch (cause) {
    // The server calls a worker again, unless it has ended the run.
    if (attempt.isStopped) throw cause
    if (isNotLoaded(cause)) {
      options.report(notLoaded(context.key, cause))
      throw cause
    }
    if (isMisfit(cause)) throw await hold(context.request().id, context.key, toFailure(cause))
    onFailure(context.key, cause)
    const failure = toFailure(cause)
    throw new sdk.TerminalError(`${failure.name}: ${failure.message}`, {
      metadata: { [FAILURE_KEY]: JSON.stringify(failure) },
    })
  } finally {
    attemptCompletedSignal.removeEventListener('abort', lose)
    attempts.delete(attempt)
  }
}

/** Records a decision. The first decision for a name is final. */
async function decide(sdk: RestateSdk, context: WorkflowSharedContext, text: string): Promise<void> {
  const { name, decision } = readNamedDecision(text)
  const promise = context.promise<string>(name, textSerde)
  if ((await promise.peek()) !== undefined) return
  try {
    await promise.resolve(decision)
  } catch (cause) {
    // Another decision was recorded first. Any other error is retried.
    if (!(cause instanceof sdk.TerminalError)) throw cause
  }
}
