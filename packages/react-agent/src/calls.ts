/** The calls of one turn: run together, but for those of tools that say they write; results in call order. */
import type { Observation } from '@x/adapters'
import { dispatch, type ToolCall, ToolError, type ToolMap } from '@x/tool-core'
import { runWithIntent, type UnknownCall } from './intent.ts'
import type { RunScope } from './model.ts'
import { NOT_RUN, observe, observeError } from './observe.ts'
import type { TurnCall } from './turn.ts'

/** What became of a call, as plain data. */
export interface CallOutcome {
  readonly observation: Observation
  /** What a tool of the ending gave; the model's own tools are heard through the observation alone. */
  readonly output?: unknown
  /** Set when nobody knows whether the call was carried out. */
  readonly unknown?: UnknownCall
}

export interface CallScope extends RunScope {
  readonly tools: ToolMap
  /** Those of them that end the task. */
  readonly endingTools: ToolMap
  readonly step: number
}

/** Runs every call of a turn; one that could not be read is answered with its error. Rejects only when `steps` fails. */
export async function runCalls(calls: readonly TurnCall[], scope: CallScope): Promise<readonly CallOutcome[]> {
  const outcomes: CallOutcome[] = []
  for (const group of groupByBarrier(calls, scope.tools)) {
    const settled = await Promise.allSettled(group.map((call) => runCall(call, scope)))
    for (const result of settled) {
      if (result.status === 'rejected') throw result.reason
      outcomes.push(result.value)
    }
  }
  return outcomes
}

/** A call of a tool that says it writes is a group of its own: it waits for the earlier ones, and the later ones for it. */
function groupByBarrier(calls: readonly TurnCall[], tools: ToolMap): readonly (readonly TurnCall[])[] {
  const groups: TurnCall[][] = []
  let closed = true
  for (const call of calls) {
    const effect = tools.get(call.raw.name)?.effect
    const alone = effect === 'write' || effect === 'destructive'
    if (closed || alone) groups.push([call])
    else groups.at(-1)?.push(call)
    closed = alone
  }
  return groups
}

async function runCall(turnCall: TurnCall, scope: CallScope): Promise<CallOutcome> {
  const started = performance.now()
  const outcome = 'error' in turnCall ? refuse(turnCall) : await execute(turnCall.call, scope)
  scope.emit({ type: 'call_finished', step: scope.step, observation: outcome.observation, ms: performance.now() - started })
  return outcome
}

function refuse({ raw, error }: Extract<TurnCall, { error: unknown }>): CallOutcome {
  return { observation: observeError(raw.id, raw.name, error.message) }
}

/** A call that was aborted has no result: it must not be journalled as one, nor may another start. */
async function execute(call: ToolCall, scope: CallScope): Promise<CallOutcome> {
  const { id, tools, steps, token, signal, emit, step } = scope
  if (signal?.aborted) return { observation: observeError(call.id, call.name, NOT_RUN) }
  emit({ type: 'call_started', step, call })
  try {
    const idempotencyKey = `${id}/${call.id}`
    const options = { steps, token, idempotencyKey }
    return await runWithIntent(call, tools.get(call.name), options, () => dispatchOnce(call, idempotencyKey, scope))
  } catch (cause) {
    if (cause instanceof ToolError && cause.code === 'aborted')
      return { observation: observeError(call.id, call.name, cause.message) }
    throw cause
  }
}

async function dispatchOnce(
  call: ToolCall,
  idempotencyKey: string,
  { tools, endingTools, values, step, signal, emit }: CallScope,
): Promise<CallOutcome> {
  const progress = (update: unknown) => emit({ type: 'call_progress', step, callId: call.id, update })
  const result = await dispatch(tools, call, { idempotencyKey, signal, values, progress })
  if (!result.ok && result.error.code === 'aborted') throw result.error
  const observation = observe(result)
  return result.ok && endingTools.has(call.name) ? { observation, output: result.output } : { observation }
}
