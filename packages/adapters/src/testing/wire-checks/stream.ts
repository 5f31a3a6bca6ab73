/** Checks that stream decoders return a valid response whatever the events are, in any order, and truncated anywhere. */
import { collectDeltas } from '../../protocol/collect.ts'
import type { LMDelta, LMResponse } from '../../protocol/protocol.ts'
import type { WireFormat } from '../../wire/wire-format.ts'
import { ensure, ensureSame } from '../contract-error.ts'
import { continued, conversation, TOOL } from '../contract-requests.ts'
import { deepMutantsOf, hostileValues, mutantsOf } from '../hostile-json.ts'
import { deepFreeze } from '../json-walk.ts'
import { decoderOf, deltasOf, readEvents } from '../read-events.ts'
import { ensureShape } from '../response-shape.ts'
import { readArgs } from '../same-args.ts'
import type { CheckDefinition, Subject } from '../wire-check.ts'
import { ensureSays } from './decode.ts'

export const STREAM_CHECKS: readonly CheckDefinition[] = [
  {
    id: 'stream-sample',
    name: 'a streamed reply returns its text and calls, and an event marks it as complete',
    check({ wire, samples }) {
      for (const sample of samples) {
        if (sample.events === undefined) continue
        ensureSays(readEvents(wire, deepFreeze(sample.events)), sample)
        const decoder = decoderOf(wire)
        const finishes = sample.events.flatMap((event) => decoder.push(event)).filter(({ type }) => type === 'finish')
        const isOver = finishes.length > 0 || sample.error !== undefined
        ensure(isOver, `${sample.name}: no event finishes the reply, so it counts as interrupted`)
      }
    },
  },
  {
    id: 'stream-garbage',
    name: 'no JSON causes an exception as an event',
    check({ wire, model, samples }) {
      const values = hostileValues()
      ensureDeltas(deltasOf(wire, values), 'hostile events')
      ensureDeltas(deltasOf(wire, values, conversation({ tools: [TOOL] }), model), 'hostile events, with a request')
      for (const { name, events = [] } of samples) {
        for (const mutant of [...mutantsOf(events, 400), ...deepMutantsOf(events)])
          if (Array.isArray(mutant)) ensureDeltas(deltasOf(wire, mutant), `a mutant of ${name}`)
        const mixed = events.flatMap((event, index) => [event, values[index % values.length]])
        ensureDeltas(deltasOf(wire, mixed), `${name}, with hostile events in between`)
      }
    },
  },
  {
    id: 'stream-deltas',
    name: 'each call starts once, before its arguments, and ends once, and the stream finishes once',
    check(subject) {
      for (const { name, events } of streamed(subject)) {
        const deltas = deltasOf(subject.wire, events)
        ensureDeltas(deltas, name)
        ensure(deltas.filter(({ type }) => type === 'finish').length === 1, `${name}: more than one \`finish\``)
      }
    },
  },
  {
    id: 'stream-apart',
    name: 'streams that are read at the same time are independent',
    check(subject) {
      for (const { name, events } of streamed(subject)) {
        const alone = deltasOf(subject.wire, events)
        const [one, other] = [decoderOf(subject.wire), decoderOf(subject.wire)]
        const mixed = events.flatMap((event) => {
          const deltas = one.push(event)
          other.push(event)
          return deltas
        })
        ensureSame([...mixed, ...one.end()], alone, `${name}: in parallel with another stream`)
      }
    },
  },
  {
    id: 'stream-cut',
    name: 'a stream that stops anywhere ends in an error, and no truncated call counts as complete',
    check(subject) {
      for (const { name, events } of streamed(subject)) ensureCut(subject, name, events)
    },
  },
  {
    id: 'stream-errors',
    name: 'pitfall 11: an error event anywhere is reported, and no later event turns it into a success',
    check: checkErrors,
  },
  {
    id: 'stream-unknown',
    name: 'events of an unknown kind change nothing',
    check(subject) {
      const unknown = [
        { type: 'contract_unknown', _event: 'contract_unknown', contract_unknown: {} },
        {},
        { contract_unknown: { value: 1 } },
      ]
      for (const { name, events } of streamed(subject)) {
        const mixed = events.flatMap((event, index) => [unknown[index % unknown.length], event])
        ensureSame(readEvents(subject.wire, mixed), readEvents(subject.wire, events), `${name}: with unknown events in between`)
      }
    },
  },
  {
    id: 'stream-repeated',
    name: 'a repeated event causes no exception and no invalid response',
    check(subject) {
      for (const { name, events } of streamed(subject)) {
        for (let at = 0; at < events.length; at++)
          ensureDeltas(deltasOf(subject.wire, events.toSpliced(at, 0, events[at])), `${name}: event ${at} twice`)
      }
    },
  },
  {
    id: 'stream-whole',
    name: 'a complete reply and its stream yield the same response and are sent back in the same way',
    check({ wire, model, samples }) {
      for (const { name, reply, events, error } of samples) {
        // If an error follows, a stream may contain more text than the reply.
        if (reply === undefined || events === undefined || error !== undefined) continue
        const streamedReply = readEvents(wire, events)
        for (const [key, value] of Object.entries(comparable(wire.decode(reply))))
          ensureSame(comparable(streamedReply)[key as 'text'], value, `${name}: \`${key}\`, streamed`)
        const back = wire.encode(continued(streamedReply), model)
        ensureSame(back, wire.encode(continued(wire.decode(reply)), model), `${name}: sent back, streamed`)
      }
    },
  },
]

function checkErrors({ wire, samples }: Subject): void {
  const isError = (event: unknown) =>
    decoderOf(wire)
      .push(event)
      .some(({ type }) => type === 'error')
  const failed = samples.filter(({ error, events }) => error !== undefined && events !== undefined)
  for (const { name, events = [] } of failed)
    ensure(readEvents(wire, events).error !== undefined, `${name}: the error in its events is not reported`)
  const failing = failed.flatMap(({ events = [] }) => events.filter(isError).slice(0, 1))
  const sound = samples.filter(({ error }) => error === undefined)
  for (const { name, events = [] } of sound) {
    const finished = firstFinish(wire, events)
    for (const failure of failing) {
      for (let at = 0; at < finished; at++) {
        const { error, finishReason } = readEvents(wire, events.toSpliced(at, 0, failure))
        const isReported = error !== undefined && finishReason !== 'stop' && finishReason !== 'tool-calls'
        ensure(isReported, `${name}: with an error before event ${at}, it finished as \`${finishReason}\``, { found: error })
      }
    }
  }
}

/** Returns the number of events up to and including the one that completes the reply. */
function firstFinish(wire: WireFormat, events: readonly unknown[]): number {
  const decoder = decoderOf(wire)
  return 1 + events.findIndex((event) => decoder.push(event).some(({ type }) => type === 'finish'))
}

function streamed({ samples }: Subject): readonly { readonly name: string; readonly events: readonly unknown[] }[] {
  return samples.flatMap(({ name, events }) => (events === undefined ? [] : [{ name, events }]))
}

/** Returns the fields to compare. Omits ids, because they may be generated. */
function comparable({
  text,
  reasoning,
  refusal,
  finishReason,
  rawFinishReason,
  usage,
  toolCalls,
  providerCalls = [],
  error,
}: LMResponse) {
  const calls = toolCalls.map(({ name, arguments: written, truncated }) => ({
    ...{ name, args: readArgs(written), truncated: truncated === true },
  }))
  return {
    text,
    reasoning,
    refusal,
    finishReason,
    rawFinishReason,
    usage: sameOrder(usage),
    calls,
    provider: providerCalls.map(({ type, name }) => ({ type, name })),
    error,
  }
}

function sameOrder(usage: LMResponse['usage']): unknown {
  return usage && Object.entries(usage).sort()
}

function ensureDeltas(deltas: readonly LMDelta[], what: string): void {
  const open = new Set<number>()
  let started = 0
  for (const delta of deltas) {
    if (delta.type === 'call_start') {
      ensure(delta.index === started, `${what}: call ${delta.index} starts where call ${started} should`)
      started++
      open.add(delta.index)
    }
    if (delta.type === 'arguments')
      ensure(open.has(delta.index), `${what}: there are arguments of call ${delta.index}, which is not open`)
    if (delta.type === 'call_end') ensure(open.delete(delta.index), `${what}: call ${delta.index} ends without a start`)
  }
  ensure(open.size === 0, `${what}: a call has no end`, { found: [...open] })
  const response = collectDeltas(deltas)
  ensureShape(response, what)
  ensure(response.finishReason !== undefined, `${what}: no \`finish\``)
}

function ensureCut({ wire }: Subject, name: string, events: readonly unknown[]): void {
  const whole = readEvents(wire, events)
  const finished = firstFinish(wire, events)
  for (let count = 0; count <= events.length; count++) {
    const what = `${name}, truncated after event ${count}`
    const deltas = deltasOf(wire, events.slice(0, count))
    ensureDeltas(deltas, what)
    const { finishReason, toolCalls } = collectDeltas(deltas)
    if (count < finished) ensure(finishReason === 'error', `${what}: it finished as \`${finishReason}\``)
    for (const [index, call] of toolCalls.entries()) {
      const isWhole = call.arguments === whole.toolCalls[index]?.arguments
      ensure(isWhole || call.truncated === true, `${what}: call ${index} is incomplete, but counts as complete`, { found: call })
    }
  }
}
