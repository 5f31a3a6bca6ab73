/** Finds where a wire format writes a tool's name: under any key, or as a key itself. */
import { type Path, type Place, pathOf, placesIn } from './json-walk.ts'

/** Returns the name of the tool with this description. */
export type NameReader = (body: unknown, description: string) => string | undefined

/**
 * Finds the tool name in a body that has one tool. Returns a function that reads names from the same position. Returns undefined
 * if the name isn't near the tool's description.
 */
export function learnNamePlace(body: unknown, description: string, name: string): NameReader | undefined {
  let at: Place | undefined = placeOf(body, description)
  for (let up = 0; at?.parent !== undefined && up < MAX_UP; up++) {
    if (at.key === name) return (other, text) => keyOf(ancestor(placeOf(other, text), up))
    at = at.parent
    // This is the list of all tools, so a name in it may belong to any of them.
    if (Array.isArray(at.value) && up > 0) return undefined
    const found = placesIn(at.value).find(({ value }) => value === name)
    if (found !== undefined) return readerOf(up + 1, pathOf(found))
  }
  return undefined
}

const MAX_UP = 4

function readerOf(up: number, path: Path): NameReader {
  return (body, description) => {
    const found = path.reduce(childAt, ancestor(placeOf(body, description), up)?.value)
    return typeof found === 'string' ? found : undefined
  }
}

/** Finds the position of a description, even if text about unsupported keywords was added to it. */
function placeOf(body: unknown, description: string): Place | undefined {
  return placesIn(body).find(({ value }) => typeof value === 'string' && value.startsWith(description))
}

function ancestor(place: Place | undefined, up: number): Place | undefined {
  return up === 0 || place === undefined ? place : ancestor(place.parent, up - 1)
}

function keyOf(place: Place | undefined): string | undefined {
  return typeof place?.key === 'string' ? place.key : undefined
}

function childAt(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? value[key as keyof typeof value] : undefined
}
