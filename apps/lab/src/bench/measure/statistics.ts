/** Computes the median and the spread of a set of figures. */

export interface Summary {
  readonly median: number
  /** The first and the third quartile. Half of the figures lie between them. */
  readonly spread: readonly [number, number]
}

/** Throws `RangeError` if there are no figures. */
export function summarize(figures: readonly number[]): Summary {
  const sorted = [...figures].sort((a, b) => a - b)
  return { median: quantile(sorted, 0.5), spread: [quantile(sorted, 0.25), quantile(sorted, 0.75)] }
}

/** Returns a quantile. Interpolates between the two nearest figures. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  if (below === undefined || above === undefined) throw new RangeError('There are no figures to summarize.')
  return below + (above - below) * (place - Math.floor(place))
}
