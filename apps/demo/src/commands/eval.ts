/** Runs all requests of the domains, and counts the requests that were served. */
import type { LM } from '@x/adapters'
import type { DomainEntry } from '../domains/domain.ts'
import { type Evaluation, evaluate, scoreOf } from '../evaluation/evaluation.ts'
import { loadGroups } from '../evaluation/groups.ts'
import type { DatabasePlace } from '../sql/place.ts'
import { showEvaluated, showScores } from '../view/evaluation.ts'
import type { Terminal } from '../view/terminal.ts'

export interface EvalOptions {
  readonly entries: readonly DomainEntry[]
  readonly lm: LM
  /** Description of the model, for the report. */
  readonly model: string
  readonly newPlace: () => DatabasePlace
  /** True if every request gets the tools of all domains. */
  readonly together: boolean
  /** Minimum percentage of served requests. */
  readonly atLeast: number
  /** True if the report is printed as one JSON object, with no other output. */
  readonly json: boolean
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Runs the evaluation. Resolves to true if enough requests were served. */
export async function runEval(options: EvalOptions): Promise<boolean> {
  const { entries, lm, model, newPlace, together, atLeast, json, terminal, signal } = options
  const groups = await loadGroups(entries, together)
  const evaluations: Evaluation[] = []
  const database = newPlace().kind
  for await (const evaluation of evaluate({ groups, lm, newPlace, signal })) {
    evaluations.push(evaluation)
    if (!json) showEvaluated(terminal, evaluation)
  }
  const total = scoreOf(evaluations)
  const domains = groups.map(({ name }) => ({ name, ...scoreOf(evaluations.filter(({ group }) => group === name)) }))
  const enough = total.passed * 100 >= atLeast * total.requests
  if (json) {
    const failures = evaluations.filter(({ why }) => why !== undefined).map(toFailure)
    terminal.data({ model, database, together, at_least: atLeast, enough, total, domains, failures })
  } else showScores(terminal, { domains, total, atLeast, enough })
  return enough
}

function toFailure({ group, scenario, request, record, why }: Evaluation): object {
  const { calls, answer, answered } = record
  return { domain: group, scenario, request: request.request, why, expected: request.expected, calls, answer, answered }
}
