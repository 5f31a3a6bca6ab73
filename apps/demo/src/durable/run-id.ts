/** Generates the id of a run. */
import { randomBytes } from 'node:crypto'

/** The first words of the request, to recognize it, and random letters: `pay-86-40-x3k9wq`. */
export function newRunId(request: string): string {
  const words = request.toLowerCase().match(/[a-z0-9]+/g) ?? []
  // The bank identifies a booking by its run: two runs with the same id would book once.
  const letters = BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(8, '0')
    .slice(-8)
  return [...words.slice(0, 3).map((word) => word.slice(0, 12)), letters].join('-')
}
