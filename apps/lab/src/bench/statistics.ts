/** The median of some figures and how far they spread. */

export interface Summary {
  readonly median: number
  /** The first and the third quartile: half of the figures lie between them. */
  readonly spread: readonly [number, number]
}

/** Throws `RangeError` for no figures at all. */
export function summarize(figures: readonly number[]): Summary {
  const sorted = [...figures].sort((a, b) => a - b)
  return { median: quantile(sorted, 0.5), spread: [quantile(sorted, 0.25), quantile(sorted, 0.75)] }
}

/** Between two figures it takes the share of both. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) throw new RangeError('There is no figure to summarize.')
  return below + (above - below) * (place - Math.floor(place))
}
