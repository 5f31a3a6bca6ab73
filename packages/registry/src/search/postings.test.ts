import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addPacked,
  addPosting,
  createPostings,
  MAX_WEIGHT,
  type Postings,
  packPostings,
  rarityOf,
  removePosting,
} from './postings.ts'

/** Returns what a posting list adds to each tool for a value of 1. */
function addedBy(postings: Postings, packed: Uint32Array, tools: number) {
  const sums = new Float32Array(tools)
  addPacked(packed, postings, 1, sums)
  return [...sums]
}

/** Packs without a pause. */
function pack(all: readonly Postings[], tools: number): Uint32Array {
  const size = all.reduce((sum, { slots }) => sum + slots.length, 0)
  const packing = packPostings(all, size, tools)
  let part = packing.next()
  while (!part.done) part = packing.next()
  return part.value
}

describe('packed postings', () => {
  it('add the weight of each tool with an error below a thousandth, without touching adjacent lists', () => {
    const weight = fc.double({ min: 0.01, max: MAX_WEIGHT, noNaN: true })
    const list = fc.uniqueArray(fc.tuple(fc.nat(50), weight), { selector: ([slot]) => slot, maxLength: 20 })
    fc.assert(
      fc.property(fc.array(list, { maxLength: 5 }), (lists) => {
        const all = lists.map((entries) => {
          const postings = createPostings()
          for (const [slot, value] of entries) addPosting(postings, slot, value)
          return postings
        })
        const packed = pack(all, 51)
        for (const [at, postings] of all.entries()) {
          const expected = new Map(lists[at])
          for (const [slot, sum] of addedBy(postings, packed, 51).entries()) {
            expect(Math.abs(sum - (expected.get(slot) ?? 0))).toBeLessThan(0.002)
            expect(sum > 0).toBe(expected.has(slot))
          }
        }
      }),
    )
  })

  it('support large slot numbers', () => {
    const postings = createPostings()
    addPosting(postings, 3_999_999, MAX_WEIGHT)
    const sums = new Float32Array(4_000_000)
    addPacked(pack([postings], 4_000_000), postings, 2, sums)
    expect([sums[3_999_999], sums[0]]).toEqual([2 * MAX_WEIGHT, 0])
  })

  it('have a rarity that rises as fewer tools have the term, and is never below 0', () => {
    const [common, rare] = [createPostings(), createPostings()]
    for (let slot = 0; slot < 10; slot++) addPosting(common, slot, 1)
    addPosting(rare, 1, 1)
    pack([common, rare], 10)
    expect(rare.rarity).toBeGreaterThan(common.rarity)
    expect(common.rarity).toBeGreaterThan(0)
    expect(rare.rarity).toBe(rarityOf(rare, 10))
  })

  it('do not contain removed tools', () => {
    const postings = createPostings()
    for (const slot of [0, 1, 2]) addPosting(postings, slot, MAX_WEIGHT)
    removePosting(postings, 0)
    removePosting(postings, 7)
    expect(addedBy(postings, pack([postings], 2), 3)).toEqual([0, MAX_WEIGHT, MAX_WEIGHT])
  })

  it('are packed in parts', () => {
    const all = Array.from({ length: 1_000 }, () => {
      const postings = createPostings()
      for (let slot = 0; slot < 100; slot++) addPosting(postings, slot, 1)
      return postings
    })
    const packing = packPostings(all, 100_000, 100)
    const starts: number[] = []
    while (!packing.next().done) starts.push(all.filter(({ rarity }) => !Number.isNaN(rarity)).length)
    expect(starts).toEqual([201, 402, 603, 804])
  })
})
