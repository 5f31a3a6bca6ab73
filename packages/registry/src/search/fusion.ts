/** Merges ranked lists by rank, because scores from different rankings may not be comparable. */

export interface FusedRank {
  readonly name: string
  readonly score: number
}

/**
 * Combines lists by reciprocal-rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009). In each list, a name scores `1 / (k + rank)`, where
 * the first rank is 1. The scores of a name are added. Ties are sorted by name. If a list repeats a name, only the best rank counts.
 */
export function fuseRanks(lists: readonly (readonly string[])[], k = 60): readonly FusedRank[] {
  if (!(k >= 0 && k < Infinity)) throw new RangeError(`fuseRanks: k must be a number of 0 or more, got ${k}.`)
  const scores = new Map<string, number>()
  for (const list of lists) {
    for (const [index, name] of [...new Set(list)].entries()) scores.set(name, (scores.get(name) ?? 0) + 1 / (k + index + 1))
  }
  const fused = [...scores].map(([name, score]) => ({ name, score }))
  return fused.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
}
