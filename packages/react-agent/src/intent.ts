/** Notes that a call is about to change something, so that after a crash it is not repeated by mistake. */
import type { Observation } from '@x/adapters'
import type { Effect, Tool, ToolCall } from '@x/tool-core'
import { observeError, UNKNOWN_OUTCOME } from './observe.ts'
import { directSteps, type Steps } from './steps.ts'

/** A call that an earlier process began, and that nobody knows the outcome of. It was not repeated. */
export interface UnknownCall {
  readonly code: 'unknown_outcome'
  readonly callId: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** What the tool was given by the process that began it: a service may know the call by it. */
  readonly idempotencyKey: string
}

/** What became of a call that nobody knows the outcome of, as plain data. */
export interface UnknownOutcome {
  readonly observation: Observation
  readonly unknown: UnknownCall
}

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
export async function runWithIntent<Outcome>(
  call: ToolCall,
  tool: Tool | undefined,
  { steps, token, idempotencyKey }: IntentOptions,
  execute: () => Promise<Outcome>,
): Promise<Outcome | UnknownOutcome> {
  const key = `call-${call.id}`
  // Of a tool that is not there nothing can be executed.
  if (steps === directSteps || tool === undefined || tool.effect === 'read') return steps.run(key, execute)
  const owner = await steps.run(`intent-${call.id}`, async () => token)
  return steps.run<Outcome | UnknownOutcome>(key, async () =>
    owner === token || isRepeatable(tool.effect) ? execute() : toUnknown(call, idempotencyKey),
  )
}

/** A tool that does not say what it does may have written. */
function isRepeatable(effect: Effect | undefined): boolean {
  return effect === 'read' || effect === 'idempotent'
}

function toUnknown({ id, name, args }: ToolCall, idempotencyKey: string): UnknownOutcome {
  const unknown: UnknownCall = { code: 'unknown_outcome', callId: id, name, args, idempotencyKey }
  return { observation: observeError(id, name, UNKNOWN_OUTCOME), unknown }
}
