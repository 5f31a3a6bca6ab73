/** Family F: a text of sections, each behind a header at the beginning of a line. */
import type { DialectDefinition } from '../definition.ts'
import type { BlockReader } from '../engine/block.ts'
import { type LooseMarker, loose, type Marker, MarkerSet } from '../engine/marker.ts'

/** The header of each section, as `loose` takes it; several texts that mean the same. */
export type SectionHeaders<Key extends string> = Readonly<Record<Key, string | readonly string[]>>

/** Headers with the line break that comes before them: no other text is one. */
export function lineHeaders<Key extends string>(headers: SectionHeaders<Key>): Readonly<Record<Key, Marker>> {
  return mapHeaders(headers, (header) => loose(`\n ${header}`))
}

/** The same where a line begins already. */
export function headersHere<Key extends string>(headers: SectionHeaders<Key>): MarkerSet<Key> {
  return new MarkerSet(mapHeaders(headers, (header) => loose(header)))
}

/** Each section is read by its own reader, from behind its header to the next header, which it does not take. */
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
      const key = yield* context.input.sees(here)
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
