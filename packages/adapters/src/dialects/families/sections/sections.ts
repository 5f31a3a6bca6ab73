/** Reads calls in text that is divided into sections. Each section has a header at the start of a line. */
import type { DialectDefinition } from '../../define/definition.ts'
import type { BlockReader } from '../../engine/block.ts'
import { type LooseMarker, loose, type Marker, MarkerSet } from '../../engine/marker.ts'

/** The header of each section, in the notation of `loose`. A list contains alternatives. */
export type SectionHeaders<Key extends string> = Readonly<Record<Key, string | readonly string[]>>

/** Returns the headers with the line break before them, so that they match only at the start of a line. */
export function lineHeaders<Key extends string>(headers: SectionHeaders<Key>): Readonly<Record<Key, Marker>> {
  return mapHeaders(headers, (header) => loose(`\n ${header}`))
}

/** Returns the same headers without the line break, for a position at the start of a line. */
export function headersHere<Key extends string>(headers: SectionHeaders<Key>): MarkerSet<Key> {
  return new MarkerSet(mapHeaders(headers, (header) => loose(header)))
}

/** Assigns a reader to each section. A reader starts after the header of its section and stops before the next header. */
export function sections<Key extends string>(
  headers: SectionHeaders<Key>,
  readers: Readonly<Record<Key, BlockReader>>,
): Required<Pick<DialectDefinition, 'blocks' | 'atStart'>> {
  const open = lineHeaders(headers)
  const here = headersHere(headers)
  return {
    blocks: (Object.keys(readers) as Key[]).map((key) => ({ open: open[key], read: readers[key] })),
    *atStart(context) {
      yield* context.input.skipSpace()
      const key = yield* context.input.peek(here)
      if (key === undefined) return 'text'
      const opener = yield* context.input.take(here)
      return yield* readers[key]({ ...context, opener })
    },
  }
}

function mapHeaders<Key extends string>(
  headers: SectionHeaders<Key>,
  toMarker: (header: string) => LooseMarker,
): Readonly<Record<Key, Marker>> {
  const markers = {} as Record<Key, Marker>
  for (const key of Object.keys(headers) as Key[]) {
    const texts: string | readonly string[] = headers[key]
    markers[key] = typeof texts === 'string' ? toMarker(texts) : texts.map(toMarker)
  }
  return markers
}
