/** Makes what a dialect would take for a marker harmless, in text that somebody else wrote. */
import type { DialectDefinition } from './definition.ts'
import { type Marker, MarkerSet } from './engine/marker.ts'

/** The first unit of each marker becomes a character reference, so that no marker is left. */
export function markerEscape({ blocks, reasoning, ignored, end }: DialectDefinition): (text: string) => string {
  const all = [...blocks.flatMap(({ open, inside }) => [open, inside]), reasoning?.open, reasoning?.close, ignored, end]
  const given = all.filter((marker): marker is Marker => marker !== undefined)
  const markers = new MarkerSet(Object.fromEntries(given.map((marker, index) => [index, marker])))
  return (text) => {
    let escaped = ''
    let at = 0
    for (let found = markers.find(text, 0, true); found !== undefined; found = markers.find(text, at, true)) {
      escaped += `${text.slice(at, found.start)}&#${text.charCodeAt(found.start)};`
      at = found.start + 1
    }
    return escaped + text.slice(at)
  }
}
