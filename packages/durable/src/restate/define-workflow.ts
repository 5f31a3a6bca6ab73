/** The Restate service of the runs. It has one handler that executes a run, and one that records decisions. */
import type { WorkflowContext, WorkflowDefinition, WorkflowSharedContext } from '@restatedev/restate-sdk'
import type { RunFunction } from '../engine/engine.ts'
import { toFailure } from '../engine/failure.ts'
import { isMisfit, isNotLoaded } from '../engine/is-pause.ts'
import { notLoaded } from '../engine/run-errors.ts'
import { Attempt } from './attempt.ts'
import { FAILURE_KEY, readInput, readNamedDecision, textSerde, toOutputText } from './envelopes.ts'
import { assertFits } from './fitting.ts'
import type { RestateSdk } from './load-sdk.ts'
import type { CheckedOptions } from './options.ts'
import type { OwnInputs } from './own-input.ts'
import { settingsOf } from './register.ts'
import type { Marked, Suspects } from './suspects.ts'

export interface WorkflowParts<Input, Output> {
  readonly sdk: RestateSdk
  readonly options: CheckedOptions<Input, Output>
  readonly fn: RunFunction<Input, Output>
  /** The attempts that this worker is executing. */
  readonly attempts: Set<Attempt<Input, Output>>
  readonly inputs: OwnInputs
  readonly suspects: Suspects
  /** Returns true if the worker is being closed. */
  isClosing(): boolean
  /** Makes the server pause a run that can't continue for this reason. Resolves to the error to throw. */
  hold(invocation: string, id: string, cause: unknown): Promise<Error>
  /** Called with the original error of a run that failed. */
  onFailure(id: string, cause: unknown): void
}

export function defineWorkflow<Input, Output>(parts: WorkflowParts<Input, Output>): WorkflowDefinition<string, unknown> {
  const { sdk, options } = parts
  const { handlers } = sdk
  const { name, retentionMs } = options
  const kept = { input: textSerde, idempotencyRetention: retentionMs }
  return sdk.workflow({
    name,
    metadata: { settings: settingsOf(options) },
    handlers: {
      run: handlers.workflow.workflow({ input: textSerde, output: textSerde }, (context: WorkflowContext, input: string) =>
        run(parts, context, input),
      ),
      decide: handlers.workflow.shared(kept, (context: WorkflowSharedContext, text: string) => decide(sdk, context, text)),
      // The invocation itself is the mark.
      mark: handlers.workflow.shared(kept, async () => {}),
    },
    options: {
      // The state isn't read, and would make the first message of an attempt large.
      enableLazyState: true,
      workflowRetention: retentionMs,
      journalRetention: retentionMs,
      // After this time without a message, the server takes the run back. Of several running steps, only the first to end would
      // then be recorded.
      inactivityTimeout: MOST_OF_A_STEP,
      abortTimeout: MOST_OF_A_STEP,
      retryPolicy: { initialInterval: 100, exponentiationFactor: 1.5, maxInterval: 5000, maxAttempts: FOR_EVER },
    },
  }) as WorkflowDefinition<string, unknown>
}

const MOST_OF_A_STEP = 24 * 60 * 60 * 1000

/** Effectively unlimited attempts, so that no run is abandoned while workers are unavailable. */
const FOR_EVER = Number.MAX_SAFE_INTEGER

async function run<Input, Output>(
  { sdk, options, fn, attempts, inputs, suspects, isClosing, hold, onFailure }: WorkflowParts<Input, Output>,
  context: WorkflowContext,
  text: string,
): Promise<string> {
  const { attemptCompletedSignal, attemptHeaders, id: invocation } = context.request()
  const { maxRecordBytes } = options
  const own = inputs.of(attemptHeaders)
  let marked: Marked | undefined
  let isAdmitted = false
  const attempt = new Attempt<Input, Output>(
    sdk,
    context,
    maxRecordBytes,
    () => {
      own?.end()
      marked?.end()
    },
    () => marked?.hasRecord(),
  )
  const lose = () => {
    attempts.delete(attempt)
    attempt.lose()
  }
  attemptCompletedSignal.addEventListener('abort', lose, { once: true })
  attempts.add(attempt)
  // The connection may have ended while the SDK was reading the records.
  if (attemptCompletedSignal.aborted) lose()
  if (isClosing()) void attempt.close()
  try {
    if (own?.start !== undefined) marked = await suspects.admit(context.key, own.start, attempt.stopped)
    isAdmitted = true
    const output = toOutputText(await attempt.play(fn, readInput(text) as Input))
    return assertFits(output, maxRecordBytes, 'The output of the run')
  } catch (cause) {
    // The server calls a worker again, unless it has ended the run.
    if (attempt.isStopped) throw cause
    if (isNotLoaded(cause)) {
      options.report(notLoaded(context.key, cause))
      throw cause
    }
    if (!isAdmitted || isMisfit(cause)) throw await hold(invocation, context.key, cause)
    onFailure(context.key, cause)
    const failure = toFailure(cause)
    throw new sdk.TerminalError(`${failure.name}: ${failure.message}`, {
      metadata: { [FAILURE_KEY]: JSON.stringify(failure) },
    })
  } finally {
    marked?.end()
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
