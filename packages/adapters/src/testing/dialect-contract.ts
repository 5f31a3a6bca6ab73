/** The requirements for every dialect, as checks for any test runner. */
import type { Dialect } from '../dialects/define/dialect.ts'
import { ContractError, Fault } from './contract-error.ts'
import type { DialectCheck, DialectCheckDefinition, DialectContractOptions, DialectSubject } from './dialect-check.ts'
import { ARGUMENT_POLICY_CHECKS } from './dialect-checks/argument-policy.ts'
import { CONTROL_TOKENS_CHECK } from './dialect-checks/control-tokens.ts'
import { fragmentsOf } from './dialect-checks/fragments.ts'
import { POLICY_CHECKS } from './dialect-checks/policy.ts'
import { ROUND_TRIP_CHECKS } from './dialect-checks/round-trip.ts'
import { SAFETY_CHECKS } from './dialect-checks/safety.ts'
import { SAMPLES_CHECK, toSampleTurns } from './dialect-checks/samples.ts'
import { STREAM_CHECKS } from './dialect-checks/stream.ts'
import { UNFINISHED_CHECKS } from './dialect-checks/unfinished.ts'

const CHECKS: readonly DialectCheckDefinition[] = [
  ...ROUND_TRIP_CHECKS,
  SAMPLES_CHECK,
  ...STREAM_CHECKS,
  ...SAFETY_CHECKS,
  ...UNFINISHED_CHECKS,
  ...POLICY_CHECKS,
  ...ARGUMENT_POLICY_CHECKS,
  CONTROL_TOKENS_CHECK,
]

/**
 * Returns the checks of the dialect contract. A dialect must read everything that it writes; `samples` adds forms that it only
 * reads. The dialect is first called when a check runs. If a check needs calls and the dialect refuses to write any, the check
 * fails and quotes the refusal.
 */
export function dialectContract(dialect: Dialect, options: DialectContractOptions = {}): readonly DialectCheck[] {
  const { runs = 1_000, seed = 1, leastWritten = 0.5, samples: given = [] } = options
  const samples = toSampleTurns(given)
  return CHECKS.map((definition) => ({
    id: definition.id,
    name: definition.name,
    run: () =>
      runCheck(definition, () => ({ dialect, runs, seed, leastWritten, samples, fragments: fragmentsOf(dialect, given) })),
  }))
}

/** Runs a check. `toSubject` calls the dialect, so that an error that the dialect throws fails this check. */
function runCheck({ id, check }: DialectCheckDefinition, toSubject: () => DialectSubject): void {
  try {
    check(toSubject())
  } catch (cause) {
    if (cause instanceof Fault) throw new ContractError(id, cause.message, { ...cause.details, cause })
    throw new ContractError(id, `The dialect threw ${cause}`, { cause })
  }
}
