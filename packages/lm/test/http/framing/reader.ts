/** Reads complete bodies in pieces, for framing tests. */

import type { FrameReader } from '../../../src/http/framing/framing.ts'
import { createHost } from '../../../src/http/host.ts'

export const host = createHost('http://host.test', {})

/** Returns the events of a body that arrives in these pieces. Throws what the reader throws. */
export function readAll(reader: FrameReader, pieces: readonly Uint8Array[]): unknown[] {
  const events: unknown[] = []
  for (const piece of pieces) {
    events.push(...reader.push(piece))
    if (reader.isDone) return events
  }
  return [...events, ...reader.end()]
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Splits at these positions, in any order. */
export function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const borders = [0, ...places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return borders.slice(1).map((end, index) => bytes.slice(borders[index], end))
}
