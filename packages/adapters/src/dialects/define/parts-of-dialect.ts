/** Creates the state machine's markers and blocks from the definition of a dialect. */
import type { ToolSpec } from '@x/tool-core'
import type { MachineParts, MarkerKey } from '../engine/machine-parts.ts'
import { type LooseMarker, loose, type Marker, MarkerSet, spacedOf, textsOf } from '../engine/marker.ts'
import { INVENTED_TOOL_RESPONSE } from '../families/results/invented-result.ts'
import type { BlockDefinition, DialectDefinition } from './definition.ts'
import type { DialectPolicy } from './dialect.ts'

type InFence = DialectPolicy['callInFence']

/**
 * Creates and caches the parts for a request. All requests share one set. If markers contain tool names, there is one set per
 * list of tools.
 */
export class PartsOfDialect {
  readonly #definition: DialectDefinition
  readonly #made = new Map<InFence, MachineParts>()
  readonly #forTools = new WeakMap<readonly ToolSpec[], Map<InFence, MachineParts>>()

  constructor(definition: DialectDefinition) {
    this.#definition = definition
  }

  of(callInFence: InFence, tools: readonly ToolSpec[] | undefined): MachineParts {
    const isOfTools = this.#definition.blocksFor !== undefined && tools !== undefined
    const made = isOfTools ? this.#madeFor(tools) : this.#made
    const parts =
      made.get(callInFence) ?? toParts(isOfTools ? withBlocks(this.#definition, tools) : this.#definition, callInFence)
    made.set(callInFence, parts)
    return parts
  }

  #madeFor(tools: readonly ToolSpec[]): Map<InFence, MachineParts> {
    const made = this.#forTools.get(tools) ?? new Map<InFence, MachineParts>()
    this.#forTools.set(tools, made)
    return made
  }
}

function withBlocks(definition: DialectDefinition, tools: readonly ToolSpec[]): DialectDefinition {
  const names = [...new Set(tools.map((tool) => tool.function.name))]
  return { ...definition, blocks: [...definition.blocks, ...(definition.blocksFor?.(names) ?? [])] }
}

function toParts(definition: DialectDefinition, callInFence: InFence): MachineParts {
  const { atStart, reasoning, ignored, end } = definition
  const blocks = [...definition.blocks, resultsIn(definition)]
  const ofBlocks = Object.fromEntries(blocks.map(({ open }, index) => [`block:${index}`, open])) as Record<MarkerKey, Marker>
  const ofReasoning = (reasoning && { endThink: reasoning.close, think: reasoning.open }) as Record<MarkerKey, Marker>
  const outside = { ...ofReasoning, ...(ignored && { ignored }), ...(end && { end }) } as Record<MarkerKey, Marker>
  const pieces = piecesOf(definition)
  const inText = {
    ...(callInFence === 'call'
      ? ofBlocks
      : Object.fromEntries(Object.entries(ofBlocks).map(([key, open]) => [key, unfenced(open)]))),
    ...outside,
    ...pieces,
  } as Record<MarkerKey, Marker>
  return {
    inText: new MarkerSet(inText),
    inReasoning: new MarkerSet({ ...ofBlocks, ...ofReasoning }),
    inOpenReasoning: new MarkerSet({ ...ofBlocks, ...outside }),
    endOfReasoning: new MarkerSet(ofReasoning ?? {}),
    closeOfReasoning: new MarkerSet({ endThink: reasoning?.close ?? [] }),
    inCalls: new MarkerSet({ call: callBlocks(definition).flatMap(marksOf) }),
    hasPieces: pieces !== undefined,
    syntax: definition.syntax,
    againOf: toAgain(blocks),
    blocks: atStart === undefined ? blocks : [...blocks, { read: atStart }],
    ...(atStart && { atStart: `block:${blocks.length}` }),
    reasonsAnywhere: reasoning?.anywhere === true,
    channels: reasoning?.channels,
  }
}

function callBlocks({ blocks }: DialectDefinition): readonly BlockDefinition[] {
  return blocks.filter(({ isMarkup }) => !isMarkup)
}

interface Pieces {
  readonly piece: readonly (string | LooseMarker)[]
  readonly ignoredPiece: readonly (string | LooseMarker)[]
  readonly ignored: Marker
}

/**
 * Returns markers that occur inside calls but don't start a block. Each contains letters and a symbol, or is a long run of
 * different symbols. This excludes quotation marks, fences and plain words.
 */
function piecesOf(definition: DialectDefinition): Pieces | undefined {
  const { blocks, reasoning, end } = definition
  const taken = new Set(
    [...blocks.map(({ open }) => open), reasoning?.open ?? [], reasoning?.close ?? [], end ?? []].flatMap(keysOf),
  )
  const words = callBlocks(definition)
    .flatMap(marksOf)
    .filter((text) => (/[a-z]/i.test(keyOf(text)) ? /\W/ : LONG_SIGN).test(keyOf(text)) && !taken.has(keyOf(text)))
  const pieces = [
    ...new Map(
      [...words, ...words.flatMap(restsOf)].map((text) => [typeof text === 'string' ? text : keyOf(text), text]),
    ).values(),
  ]
  if (pieces.length === 0) return undefined
  const ignored = textsOf(definition.ignored ?? [])
  const names = new Set(pieces.map(keyOf))
  const isIgnored = new Set(ignored.map(keyOf))
  return {
    piece: pieces.filter((text) => !isIgnored.has(keyOf(text))),
    ignoredPiece: pieces.filter((text) => isIgnored.has(keyOf(text))),
    ignored: ignored.filter((text) => !names.has(keyOf(text))),
  }
}

/**
 * Returns the ends of a delimiter that contains a quotation mark, such as `|"|>` for `<|"|>`. They are pieces of calls too, so
 * that a broken delimiter doesn't open a quotation.
 */
function restsOf(text: string | LooseMarker): readonly string[] {
  if (typeof text !== 'string' || !/^\W+"\W+$/.test(text)) return []
  return [...text.slice(1, text.indexOf('"') + 1)].map((_, at) => text.slice(at + 1))
}

/** Four or more symbols that aren't all the same. A run of the same symbol may be a horizontal rule. */
const LONG_SIGN = /^(?!(.)\1+$)\W{4,}$/

function keysOf(marker: Marker): readonly string[] {
  return textsOf(marker).map(keyOf)
}

/** Returns a marker without white space, numbers and digits. Used to compare markers. */
function keyOf(text: string | LooseMarker): string {
  return unitsOf(spacedOf(text))
}

/** Returns a block that removes invented results. Omits markers that the dialect uses itself. */
function resultsIn(definition: DialectDefinition): BlockDefinition {
  const own = opensOf(definition).flatMap(textsOf)
  const { open } = INVENTED_TOOL_RESPONSE
  return { ...INVENTED_TOOL_RESPONSE, open: textsOf(open).filter((text) => !own.includes(text)) }
}

/** Returns the markers of a dialect that are found in text. No two of them may be equal. */
export function opensOf({ blocks, reasoning, ignored, end }: DialectDefinition): readonly Marker[] {
  return [...blocks.map(({ open }) => open), reasoning?.open ?? [], ignored ?? [], end ?? []]
}

/** Removes the markers that start with a code fence, for a policy that treats blocks in fences as examples. */
function unfenced(open: Marker): Marker {
  return textsOf(open).filter((text) => !/^ *```/.test(spacedOf(text)))
}

/** Returns the markers of a block that are long enough to occur only in calls. */
function marksOf({ open, inside = [] }: BlockDefinition): readonly (string | LooseMarker)[] {
  return [open, inside].flatMap(textsOf).filter((text) => keyOf(text).length >= SHORTEST)
}

/** Returns a function that returns the marker set for an opener. Creates each set on first use. */
function toAgain(blocks: readonly BlockDefinition[]): (opener: string) => MarkerSet {
  const made = new Map<string, MarkerSet>()
  const texts = blocks.flatMap(({ open }) => textsOf(open)).map(spacedOf)
  return (opener) => {
    const units = unitsOf(opener)
    const again = made.get(units) ?? new MarkerSet({ again: texts.filter((text) => isAlone(units, text)).map(atLine) })
    made.set(units, again)
    return again
  }
}

/**
 * Returns true if the marker is the opener itself. Returns false for a short opener, such as a bracket or a backtick, which may
 * also occur inside the block.
 */
function isAlone(units: string, text: string): boolean {
  return units.length >= SHORTEST && unitsOf(text) === units
}

const SHORTEST = 3

function atLine(text: string): LooseMarker {
  return loose(text.startsWith('\n') ? text : `\n ${text}`)
}

/** Returns the text of a marker without white space, digits and `NUMBER`. */
function unitsOf(text: string): string {
  return text.replace(/[\s\d\0]/g, '')
}
