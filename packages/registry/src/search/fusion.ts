/** Ranked lists made into one by the places that names have in them, whatever their scores mean. */

export interface FusedRank {
  readonly name: string
  readonly score: number
}

/**
 * Reciprocal-rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009): a name scores `1 / (k + place)` in each list, places counted
 * from 1, and the sums decide. Ties go by name. A name that a list repeats counts once there, at its best place.
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
