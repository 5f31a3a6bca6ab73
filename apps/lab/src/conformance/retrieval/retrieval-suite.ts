/**
 * The `retrieval` suite: scores the tools that a search finds for questions from public collections, and compares the scores with goals.
 */

import { type Failure, noCase, type Row, type Suite } from '../suite.ts'
import { type Ranking, type RetrievalScore, scoreRanking } from './retrieval-score.ts'
import { type RetrievalTool, readRetrievalSets } from './retrieval-set.ts'

/** The goal for a figure in one set: a minimum for a share, a maximum for a time. */
interface Goal {
  readonly set: string
  readonly figure: Exclude<keyof RetrievalScore, 'n'>
  readonly goal: number
}

const GOALS: readonly Goal[] = [
  { set: 'bfcl', figure: 'recall1', goal: 0.62 },
  { set: 'bfcl', figure: 'recall5', goal: 0.86 },
  { set: 'bfcl', figure: 'recall10', goal: 0.91 },
  { set: 'bfcl', figure: 'p50us', goal: 50 },
  { set: 'seal', figure: 'recall10', goal: 0.93 },
  { set: 'metatool', figure: 'recall10', goal: 0.74 },
]

/** Defines the suite. Each goal counts as one case: passed, failed, or skipped if the directory doesn't contain the goal's set. */
export function defineRetrievalSuite(createRanking: (tools: readonly RetrievalTool[]) => Ranking): Suite {
  return {
    name: 'retrieval',
    // The root of the corpora, because the sets are in two directories.
    folder: '.',
    async run(corpus) {
      const sets = readRetrievalSets(corpus)
      if (sets.length === 0) throw noCase('retrieval', corpus)
      const scores = new Map(sets.map((set) => [set.name, scoreRanking(set, () => createRanking(set.tools))]))
      const measured = GOALS.filter(({ set }) => scores.has(set))
      const failures = measured.flatMap((goal) => check(goal, scores.get(goal.set) as RetrievalScore))
      const [first] = scores.values()
      return {
        passed: measured.length - failures.length,
        failed: failures.length,
        skipped: GOALS.length - measured.length,
        metrics: { ...(scores.size === 1 && first), sets: Object.fromEntries(scores) },
        failures,
        rows: [...scores].map(([name, score]) => toRow(name, score)),
      }
    },
  }
}

function check({ set, figure, goal }: Goal, score: RetrievalScore): readonly Failure[] {
  const found = score[figure]
  const isTime = figure.endsWith('us')
  if (isTime ? found <= goal : found >= goal) return []
  const why = isTime ? `${found} µs, the goal is at most ${goal}` : `${percent(found)} %, the goal is ${percent(goal)}`
  return [{ id: `${set} ${figure}`, why }]
}

function toRow(set: string, { recall1, recall5, recall10, ndcg10, p50us, p95us, n }: RetrievalScore): Row {
  const shares = { 'recall@1': percent(recall1), '@5': percent(recall5), '@10': percent(recall10), 'nDCG@10': percent(ndcg10) }
  return { set, ...shares, 'p50 µs': p50us, 'p95 µs': p95us, questions: n }
}

/** Formats a share as a percentage. Rounds down, so that a missed goal doesn't look as if it were met. */
function percent(share: number): string {
  return (Math.floor(share * 1000) / 10).toFixed(1)
}
