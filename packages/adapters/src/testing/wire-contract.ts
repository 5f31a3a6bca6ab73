/** What holds for every wire format, as checks that any test runner can register. */
import type { WireFormat } from '../wire/wire-format.ts'
import { ContractError, Fault } from './contract-error.ts'
import type { CheckDefinition, Subject, WireCheck, WireCheckId, WireContractOptions } from './wire-check.ts'
import { CALL_CHECKS } from './wire-checks/calls.ts'
import { CONTENT_CHECKS } from './wire-checks/content.ts'
import { DECODE_CHECKS } from './wire-checks/decode.ts'
import { ENCODE_CHECKS } from './wire-checks/encode.ts'
import { OPTION_CHECKS } from './wire-checks/options.ts'
import { ROUND_TRIP_CHECKS } from './wire-checks/round-trip.ts'
import { STREAM_CHECKS } from './wire-checks/stream.ts'
import { TOOL_CHECKS } from './wire-checks/tools.ts'

/** Throws `TypeError` when the samples cannot prove anything. */
export function wireContract(wire: WireFormat, options: WireContractOptions): readonly WireCheck[] {
  assertSamples(wire, options)
  const { pairsBy = 'id', others = [] } = options
  const readsStreams = wire.streamDecoder !== undefined
  const samples = readsStreams ? options.samples : options.samples.map((sample) => ({ ...sample, events: undefined }))
  const subject: Subject = { ...options, wire, samples, pairsBy, others }
  const checks = readsStreams ? [...WHOLE_CHECKS, ...STREAM_CHECKS] : WHOLE_CHECKS
  return checks.map(({ id, name, check }) => ({ id, name, run: () => runCheck(id, () => check(subject)) }))
}

const WHOLE_CHECKS: readonly CheckDefinition[] = [
  ...ENCODE_CHECKS,
  ...TOOL_CHECKS,
  ...CALL_CHECKS,
  ...CONTENT_CHECKS,
  ...OPTION_CHECKS,
  ...DECODE_CHECKS,
  ...ROUND_TRIP_CHECKS,
]

function assertSamples({ name, streamDecoder }: WireFormat, { samples }: WireContractOptions): void {
  const empty = samples.find(({ reply, events }) => reply === undefined && events === undefined)
  if (empty !== undefined) throw new TypeError(`wireContract(${name}): sample "${empty.name}" has neither a reply nor events.`)
  const withCalls = samples.filter(({ calls }) => calls.length > 0)
  if (withCalls.every(({ reply }) => reply === undefined))
    throw new TypeError(`wireContract(${name}): no sample has a reply with calls. Add one to \`samples\`.`)
  if (streamDecoder !== undefined && withCalls.every(({ events }) => events === undefined))
    throw new TypeError(`wireContract(${name}): it reads streams, but no sample has events with calls. Add one to \`samples\`.`)
}

function runCheck(id: WireCheckId, check: () => void): void {
  try {
    check()
  } catch (cause) {
    if (cause instanceof Fault) throw new ContractError(id, cause.message, { ...cause.details, cause })
    throw new ContractError(id, `The wire format threw ${cause}`, { cause })
  }
}
