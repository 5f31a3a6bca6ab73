/** What holds for every dialect, as checks that any test runner can register. */
import type { Dialect } from '../dialects/dialect.ts'
import { ContractError, Fault } from './contract-error.ts'
import type { DialectCheck, DialectCheckDefinition, DialectContractOptions, DialectSubject } from './dialect-check.ts'
import { fragmentsOf } from './dialect-checks/fragments.ts'
import { ROUND_TRIP_CHECKS } from './dialect-checks/round-trip.ts'
import { SAFETY_CHECKS } from './dialect-checks/safety.ts'
import { STREAM_CHECKS } from './dialect-checks/stream.ts'

const CHECKS: readonly DialectCheckDefinition[] = [...ROUND_TRIP_CHECKS, ...STREAM_CHECKS, ...SAFETY_CHECKS]

/** Needs no samples: what the dialect writes is what it reads. */
export function dialectContract(dialect: Dialect, options: DialectContractOptions = {}): readonly DialectCheck[] {
  const { runs = 1_000, seed = 1, leastWritten = 0.5 } = options
  const subject: DialectSubject = { dialect, runs, seed, leastWritten, fragments: fragmentsOf(dialect) }
  return CHECKS.map((definition) => ({
    id: definition.id,
    name: definition.name,
    run: () => runCheck(definition, subject),
  }))
}

function runCheck({ id, check }: DialectCheckDefinition, subject: DialectSubject): void {
  try {
    check(subject)
  } catch (cause) {
    if (cause instanceof Fault) throw new ContractError(id, cause.message, { ...cause.details, cause })
    throw new ContractError(id, `The dialect threw ${cause}`, { cause })
  }
}
