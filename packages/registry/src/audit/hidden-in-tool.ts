/** Finds hidden characters in the parts of a tool that a model reads. */
import { pointerSegment, type Tool } from '@x/tool-core'
import { findHiddenCharacters, type HiddenCharacter, MAX_FINDINGS, revealHiddenCharacters } from './hidden-characters.ts'

export interface ToolHiddenCharacter extends HiddenCharacter {
  /** JSON pointer to the text: `/description`, `/args/properties/city/enum/0`. A property name has the pointer of its value. */
  readonly path: string
  /** A sentence for a developer. It contains no hidden characters itself. */
  readonly message: string
}

/**
 * Returns the first ten hidden characters in the parts of a tool that a model reads. These are its name, description, category and tags,
 * every string and key of its args schema, its arguments, its examples and its output schema.
 */
export function hiddenCharactersOf(tool: Tool): readonly ToolHiddenCharacter[] {
  const { name, description, category, tags, args, examples, output } = tool
  const found = firstFindings(tool, { name, description, category, tags, args, examples, output })
  // Derived arguments only repeat the schema's strings. Handwritten ones may contain others.
  return found.length > 0 ? found : firstFindings(tool, { arguments: tool.arguments })
}

function firstFindings(tool: Tool, value: object): readonly ToolHiddenCharacter[] {
  const found: ToolHiddenCharacter[] = []
  for (const finding of findIn(tool, value)) {
    if (found.push(finding) === MAX_FINDINGS) break
  }
  return found
}

interface Place {
  readonly path: string
  readonly value: unknown
  /** The key of the value in its object. Undefined for an array item. */
  readonly key?: string | undefined
}

/**
 * Finds hidden characters in all strings and keys of a value, in order. Visits each object once. Uses an explicit stack, because recursion
 * could overflow.
 */
function* findIn(tool: Tool, value: object): Generator<ToolHiddenCharacter> {
  const seen = new Set<object>()
  const stack: Place[] = [{ path: '', value }]
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    if (place.key !== undefined) yield* describe(tool, place.path, place.key, 'the key at ')
    if (typeof place.value === 'string') yield* describe(tool, place.path, place.value, '')
    if (typeof place.value !== 'object' || place.value === null || seen.has(place.value)) continue
    seen.add(place.value)
    for (const inner of placesIn(place.path, place.value).reverse()) stack.push(inner)
  }
}

function placesIn(path: string, value: object): Place[] {
  const isList = Array.isArray(value)
  return Object.entries(value).map(([key, member]) => ({
    path: `${path}/${pointerSegment(key)}`,
    value: member,
    key: isList ? undefined : key,
  }))
}

function describe(tool: Tool, path: string, text: string, where: string): readonly ToolHiddenCharacter[] {
  return findHiddenCharacters(text).map((hidden) => ({
    ...hidden,
    path,
    message:
      `Tool ${shown(tool.name)} contains the hidden character ${hidden.codePoint} (${hidden.kind.replaceAll('_', ' ')}) in ` +
      `${where}${shown(path)}, index ${hidden.index}: a model reads it, but a person cannot see it. Remove it.`,
  }))
}

const MAX_SHOWN = 200

/** Formats a string as one line of a log. */
function shown(text: string): string {
  const end = text.length > MAX_SHOWN ? '…' : ''
  return JSON.stringify(revealHiddenCharacters(text.slice(0, MAX_SHOWN)) + end)
}
