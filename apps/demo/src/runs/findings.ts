/** What does not hold, in words. */
import { isDeepStrictEqual } from 'node:util'

export interface Findings {
  /** None when all went as promised. */
  readonly problems: readonly string[]
  expect(what: string, found: unknown, expected: unknown): void
}

export function createFindings(): Findings {
  const problems: string[] = []
  return {
    problems,
    expect(what, found, expected) {
      if (!isDeepStrictEqual(found, expected))
        problems.push(`${what}: ${JSON.stringify(found)} and not ${JSON.stringify(expected)}`)
    },
  }
}
