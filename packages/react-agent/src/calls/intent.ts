/** Notes that a call is about to change something, so that after a crash it is not repeated by mistake. */
import type { Effect, Tool, ToolCall } from '@x/tool-core'
import type { CallOutcome, UnknownCall } from '../loop/outcome.ts'
import { observeError, UNKNOWN_OUTCOME } from '../observe.ts'
import { directSteps, type Steps } from '../steps/steps.ts'

export interface IntentOptions {
  readonly steps: Steps
  /** Of this start of the run, and of no other: tells a call that it began from one that an earlier process did. */
  readonly token: string
  readonly idempotencyKey: string
}

/**
 * Runs a call as a step of its own. Unless its tool only reads, a step before it records who is about to execute it. Where that
 * was an earlier process and there is no result, an `idempotent` tool is executed again, with the same key; a call of any other
 * is left alone, and its outcome says that nobody knows it.
 */
export function runWithIntent(
  call: ToolCall,
  tool: Tool | undefined,
  { steps, token, idempotencyKey }: IntentOptions,
  execute: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const key = `call-${call.id}`
  // Of a tool that is not there nothing can be executed.
  if (steps === directSteps || tool === undefined || tool.effect === 'read') return steps.run(key, execute)
  return steps
    .run(`intent-${call.id}`, async () => token)
    .then((owner) =>
      steps.run(key, async () =>
        owner === token || isRepeatable(tool.effect)
          ? execute()
          : {
              observation: observeError(call.id, call.name, UNKNOWN_OUTCOME, 'unknown_outcome'),
              unknown: toUnknown(call, idempotencyKey),
            },
      ),
    )
}

/** A tool that does not say what it does may have written. */
export function isRepeatable(effect: Effect | undefined): boolean {
  return effect === 'read' || effect === 'idempotent'
}

export function toUnknown({ id, name, args }: ToolCall, idempotencyKey: string): UnknownCall {
  return { code: 'unknown_outcome', callId: id, name, args, idempotencyKey }
}
