/** One request to the model: streamed or not, journalled, and given up on at once when the caller does. */
import {
  type Adapter,
  type Conversation,
  DeltaCollector,
  type LM,
  type LMRequest,
  type LMResponse,
  type RequestOptions,
} from '@x/adapters'
import { onAbort } from '@x/tool-core'
import { AgentError } from './errors.ts'
import type { Emit } from './events.ts'
import type { Steps } from './steps.ts'
import { toTrajectory } from './trajectory.ts'

export interface ModelOptions {
  readonly lm: LM
  readonly adapter: Adapter
  /** What every request says beside its messages. */
  readonly request: Pick<RequestOptions, 'settings' | 'strictTools' | 'providerOptions'>
  /** Ask for the response in pieces, so that deltas become events. */
  readonly stream?: boolean | undefined
}

/** What a single run adds. */
export interface RunScope {
  /** Of the run; part of every idempotency key. */
  readonly id: string
  /** Of this start of the run, and of no other: after a crash the run has the same `id` and another token. */
  readonly token: string
  /** Run-scoped values for the tools. */
  readonly values: object
  readonly steps: Steps
  readonly signal?: AbortSignal | undefined
  readonly emit: Emit
}

/** Rejects with `model_failed` or `aborted`; both hold the trajectory so far. */
export async function askModel(
  { lm, request: always, stream }: ModelOptions,
  conversation: Conversation,
  options: RequestOptions,
  step: number,
  key: string,
  { steps, signal, emit }: RunScope,
): Promise<LMResponse> {
  const request = conversation.request({ ...always, ...options })
  const onDelta =
    stream && lm.stream ? (delta: Parameters<DeltaCollector['push']>[0]) => emit({ type: 'delta', step, delta }) : undefined
  try {
    signal?.throwIfAborted()
    const response = await steps.run(key, () =>
      untilAborted(onDelta ? collect(lm, request, onDelta, signal) : lm.generate(request, { signal }), signal),
    )
    assertWhole(response)
    return response
  } catch (cause) {
    const trajectory = toTrajectory(conversation.messages)
    if (signal?.aborted)
      throw new AgentError('aborted', 'The run was aborted by the caller.', { cause: signal.reason, trajectory })
    throw new AgentError('model_failed', cause instanceof Error ? cause.message : String(cause), { cause, trajectory })
  }
}

async function collect(
  lm: LM,
  request: LMRequest,
  onDelta: (delta: Parameters<DeltaCollector['push']>[0]) => void,
  signal: AbortSignal | undefined,
): Promise<LMResponse> {
  const collector = new DeltaCollector()
  for await (const delta of (lm as Required<LM>).stream(request, { signal })) {
    // One that does not listen is left; the loop then closes it.
    signal?.throwIfAborted()
    collector.push(delta)
    onDelta(delta)
  }
  return collector.response()
}

/** What a provider says in the place of a reply, or leaves unfinished, is no turn of the model. */
function assertWhole({ error, finish, rawFinish }: LMResponse): void {
  if (error) throw new Error(error.message)
  if (finish === 'error') throw new Error(`The reply of the model broke off${rawFinish ? ` (${rawFinish})` : ''}.`)
}

/** A model that does not listen to the signal is left behind; what it says later is dropped. */
export function untilAborted<T>(response: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return response
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    const stopListening = onAbort(signal, giveUp)
    response.then(resolve, reject).finally(stopListening)
    if (signal.aborted) giveUp()
  })
}
