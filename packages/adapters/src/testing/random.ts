/** Random choices. The same seed gives the same choices. */

export interface Random {
  /** Returns a number from 0 up to, but not including, 1. */
  number(): number
  /** Returns a whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number
  /** Returns true with the given probability, from 0 to 1. */
  chance(share: number): boolean
  pick<Value>(values: readonly Value[]): Value
}

/**
 * Creates a random number generator with Mulberry32 by Tommy Ettinger (public domain). Suitable for tests, but not for secrets.
 */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const number = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(number() * limit)
  return {
    number,
    below,
    chance: (share) => number() < share,
    pick(values) {
      if (values.length === 0) throw new RangeError('pick: the list is empty.')
      return values[below(values.length)] as (typeof values)[number]
    },
  }
}
