/** Scores how well and how fast a ranking finds the tools that questions need. */
import type { RetrievalSet } from './retrieval-set.ts'

/** Returns the names of at most `limit` tools that match a question, best first. */
export type Ranking = (question: string, limit: number) => readonly string[]

export interface RetrievalScore {
  /** Share of the needed tools among the first 1, 5 and 10 results, averaged over the questions. */
  readonly recall1: number
  readonly recall5: number
  readonly recall10: number
  /** Normalized discounted cumulative gain of the first 10 results. */
  readonly ndcg10: number
  /** Time per search in microseconds: median (`p50us`) and 95th percentile (`p95us`). */
  readonly p50us: number
  readonly p95us: number
  readonly n: number
}

const LIMIT = 10

/**
 * Scores a ranking and measures its time. Creates the ranking twice. The first one is scored, which also warms up the code. The second
 * one, whose cache contains no questions, is timed.
 */
export function scoreRanking({ questions }: RetrievalSet, createRanking: () => Ranking): RetrievalScore {
  const rank = createRanking()
  const found = questions.map(({ text, needed }) => ({ needed, hits: rank(text, LIMIT).map((name) => needed.has(name)) }))
  const mean = (measure: (one: (typeof found)[number]) => number) =>
    found.reduce((sum, one) => sum + measure(one), 0) / found.length
  const recall = (limit: number) => mean(({ needed, hits }) => hits.slice(0, limit).filter(Boolean).length / needed.size)
  return {
    recall1: recall(1),
    recall5: recall(5),
    recall10: recall(10),
    ndcg10: mean(({ needed, hits }) => gain(hits) / gain(Array<boolean>(Math.min(needed.size, LIMIT)).fill(true))),
    ...timeRanking(questions, createRanking()),
    n: questions.length,
  }
}

function gain(hits: readonly boolean[]): number {
  return hits.reduce((sum, hit, index) => sum + (hit ? 1 / Math.log2(index + 2) : 0), 0)
}

function timeRanking(questions: RetrievalSet['questions'], rank: Ranking): Pick<RetrievalScore, 'p50us' | 'p95us'> {
  // The first search builds the index.
  rank('', LIMIT)
  const times = questions.map(({ text }) => {
    const start = performance.now()
    rank(text, LIMIT)
    return (performance.now() - start) * 1000
  })
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round((times[Math.floor(times.length * share)] ?? 0) * 10) / 10
  return { p50us: at(0.5), p95us: at(0.95) }
}
