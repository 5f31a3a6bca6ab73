/** Collects failed expectations as text. */
import { isDeepStrictEqual } from 'node:util'

export interface Findings {
  /** The problems so far. Empty if everything is as expected. */
  readonly problems: readonly string[]
  expect(what: string, found: unknown, expected: unknown): void
}

export function createFindings(): Findings {
  const problems: string[] = []
  return {
    problems,
    expect(what, found, expected) {
      if (!isDeepStrictEqual(found, expected))
        problems.push(`${what}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`)
    },
  }
}
