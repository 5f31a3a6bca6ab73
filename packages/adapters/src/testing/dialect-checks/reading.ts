/** Helpers for reading text in pieces, and for comparing calls. */
import { parseArguments } from '../../arguments/parse.ts'
import type { Dialect, ParserOptions } from '../../dialects/define/dialect.ts'
import { DeltaCollector } from '../../protocol/collect.ts'
import type { LMDelta, LMResponse, RawToolCall } from '../../protocol/protocol.ts'
import type { Random } from '../random.ts'

/** Returns the name and the arguments of a call. If the arguments can't be parsed, returns their error code. */
export function toReadCall({ name, arguments: text }: RawToolCall): readonly [name: string, args: unknown] {
  const parsed = parseArguments(text)
  return [name, parsed.ok ? parsed.value : parsed.code]
}

/** Sorts object keys, because their order isn't part of the value. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]))
}

export function readPieces(dialect: Dialect, pieces: Iterable<string>, options?: ParserOptions): LMResponse {
  const collector = new DeltaCollector()
  for (const delta of streamPieces(dialect, pieces, options)) collector.push(delta)
  return collector.response()
}

export function* streamPieces(dialect: Dialect, pieces: Iterable<string>, options?: ParserOptions): Generator<LMDelta> {
  const parser = dialect.streamParser(options)
  for (const piece of pieces) yield* parser.push(piece)
  yield* parser.end()
}

/** Splits text at random positions, even inside surrogate pairs. Some pieces are empty. */
export function cutAtRandom(random: Random, text: string): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = random.below(random.chance(0.5) ? 4 : 30)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

/** Splits text into pieces of the given length. */
export function cutEvenly(text: string, length: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) => text.slice(index * length, (index + 1) * length))
}
