/** An agent's run inside a call of another run. It records its steps in the outer journal, and pauses with the outer run. */
import type { NestedHost, ToolCall } from '@x/tool-core'
import type { AskedCall, DecidedCall, PendingCall } from '../approval/decision.ts'
import type { Ask } from '../approval/in-turn.ts'
import type { AgentError } from '../errors.ts'
import type { UnknownCall } from '../loop/outcome.ts'
import type { CallScope, OuterCall } from '../loop/scope.ts'
import type { Emit, RunEvent } from '../run-event.ts'
import type { Steps } from '../steps/steps.ts'
import type { NestedSteps } from './nested-steps.ts'
import type { WaitingCall } from './waiting.ts'

/**
 * Property of run options and of a host of nested calls. Contains the call that encloses an agent's run. Works across copies of this
 * package.
 */
export const INNER: unique symbol = Symbol.for('@x/react-agent/inner-run') as never

/** What the outer run provides to the inner one. Ids and keys are those of the inner run. */
export interface InnerRun {
  readonly steps: Steps
  readonly decisions: ReadonlyMap<string, DecidedCall> | undefined
  readonly approve: Ask | undefined
  readonly outer: OuterCall
  /** True once an agent has started as an inner run. An object that merely has the shape of an agent never sets it. */
  readonly hasJoined: boolean
  join(): void
  onEvent(event: RunEvent): void
  /** Called when the inner run has to wait for decisions. */
  pause(waiting: WaitingCall): void
  /** Called when the inner run failed because of the engine, or because of a decision about one of its calls. */
  fail(error: AgentError): void
  /** Called with the unknown calls of the inner run once it has ended. */
  addUnknown(calls: readonly UnknownCall[]): void
}

export interface WithInnerRun {
  readonly [INNER]?: InnerRun | undefined
}

/** Returns the enclosing call of an agent that a tool runs. Returns undefined if no agent made that call. */
export function innerRunOf(host: NestedHost | undefined): InnerRun | undefined {
  return (host as (NestedHost & WithInnerRun) | undefined)?.[INNER]
}

export interface InnerRunParts {
  readonly callId: string
  readonly steps: NestedSteps
  readonly scope: Pick<CallScope, 'decisions' | 'approve' | 'emit' | 'step' | 'unknownCalls'>
  readonly outer: OuterCall
  onPause(waiting: WaitingCall): void
  onFail(error: AgentError): void
}

export function innerRun({ callId, steps, scope, outer, onPause, onFail }: InnerRunParts): InnerRun {
  const { approve, emit, step, unknownCalls } = scope
  const idOf = (id: string) => `${callId}.${id}`
  const named = <T extends { readonly callId: string }>(one: T) => ({ ...(one as object), callId: idOf(one.callId) }) as T
  const placeOf = (call: AskedCall) => ({
    callId: idOf(call.callId),
    parentCallId: call.parentCallId === undefined ? callId : idOf(call.parentCallId),
  })
  const toOuter = (call: PendingCall): PendingCall => ({ ...call, ...placeOf(call), key: steps.outerKey(call.key) })
  let hasJoined = false
  return {
    outer,
    get hasJoined() {
      return hasJoined
    },
    join() {
      hasJoined = true
    },
    steps: {
      run: (key, execute) => steps.run(key, execute),
      wait: (key, about) => steps.wait(key, { ...(about as PendingCall), ...placeOf(about as PendingCall) }),
      together: (keys, work) => steps.together(keys, work),
    },
    decisions: innerDecisions(scope.decisions, idOf('')),
    approve: approve && ((call, signal) => approve({ ...call, ...placeOf(call) }, signal)),
    onEvent: (event) => forward(event, { callId, idOf, named, toOuter, emit, step, outer }),
    pause({ waiting, decided, expiresAt, cause }) {
      const decisions = decided.map((call): DecidedCall => ({ ...call, ...toOuter(call) }))
      onPause({ waiting: waiting.map(toOuter), decided: decisions, expiresAt, cause })
    },
    fail: onFail,
    addUnknown: (calls) => void unknownCalls.push(...calls.map(named)),
  }
}

/**
 * Returns the decisions about calls of the inner run, by the ids in the inner run. Only the decision and the digest of each call are read.
 */
function innerDecisions(
  decisions: ReadonlyMap<string, DecidedCall> | undefined,
  prefix: string,
): ReadonlyMap<string, DecidedCall> | undefined {
  if (decisions === undefined) return undefined
  const inner = new Map<string, DecidedCall>()
  for (const [id, call] of decisions) if (id.startsWith(prefix)) inner.set(id.slice(prefix.length), call)
  return inner
}

interface Forwarding {
  readonly callId: string
  readonly idOf: (id: string) => string
  /** Adds the id of the outer call to the id of the call. */
  readonly named: <T extends { readonly callId: string }>(one: T) => T
  readonly toOuter: (call: PendingCall) => PendingCall
  readonly emit: Emit
  readonly step: number
  readonly outer: OuterCall
}

/** Emits events about calls in the outer run. The events of calls that ended in an earlier execution have already been emitted. */
function forward(event: RunEvent, { callId, idOf, named, toOuter, emit, step, outer }: Forwarding): void {
  const isDirect = event.parentCallId === undefined
  const parentCallId = isDirect ? callId : idOf(event.parentCallId as string)
  const isOld = (id: string) => isDirect && outer.wasKnown(`ended-${id}`)
  const withId = (call: ToolCall): ToolCall => ({ ...call, id: idOf(call.id) })
  switch (event.type) {
    case 'approval_requested': {
      const { call } = event
      if (isOld(call.callId)) return
      return void emit({ type: event.type, step, parentCallId, call: toOuter(call) })
    }
    case 'approval_decided':
    case 'call_progress':
      if (isOld(event.callId)) return
      return void emit({ ...(named(event) as object), step, parentCallId } as RunEvent)
    case 'call_started':
    case 'call_refused':
      if (isOld(event.call.id)) return
      return void emit({ ...event, step, parentCallId, call: withId(event.call) })
    case 'call_finished': {
      const { turnCall, outcome, observation } = event
      if (isOld(observation.callId)) return
      outer.note(`ended-${observation.callId}`)
      const placed = 'call' in turnCall ? { ...turnCall, call: withId(turnCall.call) } : turnCall
      const ended = { ...outcome, observation: named(outcome.observation) }
      return void emit({ ...event, step, parentCallId, turnCall: placed, outcome: ended, observation: named(observation) })
    }
  }
}
