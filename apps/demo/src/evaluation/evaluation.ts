/** Runs all requests of some domains and scores the calls. */
import type { LM } from '@x/adapters'
import { openSession, type RequestRecord } from '../agent/session.ts'
import type { DemoRequest } from '../domains/domain.ts'
import type { DatabasePlace } from '../sql/place.ts'
import type { Group } from './groups.ts'
import { countRight, whyNotServed } from './judge.ts'

export interface Evaluation {
  readonly group: string
  readonly scenario: string
  readonly request: DemoRequest
  readonly record: RequestRecord
  /** Why the request wasn't served. Undefined if it was served. */
  readonly why: string | undefined
}

export interface EvaluateOptions {
  readonly groups: readonly Group[]
  readonly lm: LM
  /** A new and empty database for each scenario. */
  readonly newPlace: () => DatabasePlace
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs one request at a time. Each scenario starts with a new database. If the model fails, the request counts as not served. If the
 * model fails at the first request, rejects, because the model probably can't be used at all.
 */
export async function* evaluate({ groups, lm, newPlace, signal }: EvaluateOptions): AsyncGenerator<Evaluation> {
  let isFirst = true
  for (const { name, domains, scenarios } of groups) {
    for (const { title, requests } of scenarios) {
      const session = await openSession({ name, lm, domains, place: newPlace() })
      try {
        for (const request of requests) {
          const record = await session.ask(request.request, { user: request.user, signal })
          if (isFirst && record.failure !== undefined) throw record.failure
          isFirst = false
          yield { group: name, scenario: title, request, record, why: whyNotServed(request, record) }
        }
      } finally {
        await session.close()
      }
    }
  }
}

export interface Score {
  readonly requests: number
  /** Requests served as expected: the calls in order, their arguments, and the answer. */
  readonly passed: number
  /** Share of the actual calls that were expected, by tool and arguments. 1 if there were no calls. */
  readonly precision: number
  /** Share of the expected calls that were made. 1 if no calls were expected. */
  readonly recall: number
  /** Harmonic mean of precision and recall. */
  readonly f1: number
}

/** Returns the scores. They count calls, not requests: a request with three calls counts three times. */
export function scoreOf(evaluations: readonly Evaluation[]): Score {
  const sum = (count: (evaluation: Evaluation) => number) => evaluations.reduce((total, each) => total + count(each), 0)
  const right = sum(({ request, record }) => countRight(request.expected, record.calls))
  const precision = share(
    right,
    sum(({ record }) => record.calls.length),
  )
  const recall = share(
    right,
    sum(({ request }) => request.expected.length),
  )
  return {
    requests: evaluations.length,
    passed: sum(({ why }) => (why === undefined ? 1 : 0)),
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}
