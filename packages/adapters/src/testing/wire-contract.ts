/** The requirements for every wire format, as checks for any test runner. */
import type { WireFormat } from '../wire/wire-format.ts'
import { ContractError, Fault } from './contract-error.ts'
import { assertSamples } from './sample-kinds.ts'
import type { CheckDefinition, Subject, WireCheck, WireCheckId, WireContractOptions } from './wire-check.ts'
import { CALL_CHECKS } from './wire-checks/calls.ts'
import { CONTENT_CHECKS } from './wire-checks/content.ts'
import { DECODE_CHECKS } from './wire-checks/decode.ts'
import { ENCODE_CHECKS } from './wire-checks/encode.ts'
import { FEATURE_CHECKS } from './wire-checks/features.ts'
import { KIND_CHECKS } from './wire-checks/kinds.ts'
import { LOSS_CHECKS } from './wire-checks/losses.ts'
import { OPTION_CHECKS } from './wire-checks/options.ts'
import { ROUND_TRIP_CHECKS } from './wire-checks/round-trip.ts'
import { STREAM_CHECKS } from './wire-checks/stream.ts'
import { TOOL_CHECKS } from './wire-checks/tools.ts'

/** Returns the checks of the wire format contract. Throws `TypeError` if the samples are insufficient. */
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
  ...LOSS_CHECKS,
  ...DECODE_CHECKS,
  ...KIND_CHECKS,
  ...FEATURE_CHECKS,
  ...ROUND_TRIP_CHECKS,
]

function runCheck(id: WireCheckId, check: () => void): void {
  try {
    check()
  } catch (cause) {
    if (cause instanceof Fault) throw new ContractError(id, cause.message, { ...cause.details, cause })
    throw new ContractError(id, `The wire format threw ${cause}`, { cause })
  }
}
