/** The error that a check throws if the contract is violated. */
import type { DialectCheckId } from './dialect-check-id.ts'
import type { WireCheckId } from './wire-check.ts'

/** A violated rule of the contract. `check` is the id of the check. If two values were compared, `expected` and `found` contain them. */
export class ContractError extends Error {
  override readonly name = 'ContractError'
  readonly check: WireCheckId | DialectCheckId
  readonly expected: unknown
  readonly found: unknown

  constructor(check: WireCheckId | DialectCheckId, message: string, { expected, found, cause }: ContractErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.check = check
    this.expected = expected
    this.found = found
  }
}

export interface ContractErrorOptions {
  readonly expected?: unknown
  readonly found?: unknown
  readonly cause?: unknown
}

/** A violated rule, without the id of the check. The contract adds the id. */
export class Fault extends Error {
  readonly details: ContractErrorOptions

  constructor(message: string, details: ContractErrorOptions = {}) {
    super(message)
    this.details = details
  }
}

export function ensure(isKept: boolean, message: string, details?: ContractErrorOptions): asserts isKept {
  if (!isKept) throw new Fault(message, details)
}

/**
 * Throws unless both values have the same JSON text, including the order of keys. A provider's prompt cache depends on that
 * order.
 */
export function ensureSame(found: unknown, expected: unknown, message: string): void {
  ensure(toText(found) === toText(expected), `${message}: expected ${show(expected)}, found ${show(found)}`, { expected, found })
}

function show(value: unknown): string {
  const text = toText(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

function toText(value: unknown): string {
  return JSON.stringify(value) ?? 'undefined'
}
