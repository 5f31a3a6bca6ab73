/** Creates the markers and blocks for the state machine from a dialect definition. */
import type { ToolSpec } from '@x/tool-core'
import type { MachineParts, MarkerKey } from '../engine/machine-parts.ts'
import { type LooseMarker, loose, type Marker, MarkerSet, textsOf } from '../engine/marker.ts'
import { INVENTED_TOOL_RESPONSE } from '../families/results/invented-result.ts'
import type { BlockDefinition, DialectDefinition } from './definition.ts'
import type { DialectPolicy } from './dialect.ts'

type InFence = DialectPolicy['callInFence']

/** The parts for a request: one set for all of them, or one for each list of tools if the markers contain tool names. */
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
 * Markers within calls that don't start a block. Each contains a word and a symbol, which excludes quotation marks, fences and plain words.
 */
function piecesOf(definition: DialectDefinition): Pieces | undefined {
  const { blocks, reasoning, end } = definition
  const taken = new Set(
    [...blocks.map(({ open }) => open), reasoning?.open ?? [], reasoning?.close ?? [], end ?? []].flatMap(keysOf),
  )
  const words = callBlocks(definition)
    .flatMap(marksOf)
    .filter((text) => (/[a-z]/i.test(keyOf(text)) ? /\W/ : LONG_SIGN).test(keyOf(text)) && !taken.has(keyOf(text)))
  const pieces = [...new Map(words.map((text) => [keyOf(text), text])).values()]
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

/** No text has so many signs in a row, except a rule, of the same ones. */
const LONG_SIGN = /^(?!(.)\1+$)\W{4,}$/

function keysOf(marker: Marker): readonly string[] {
  return textsOf(marker).map(keyOf)
}

/** A marker without its optional white space. */
function keyOf(text: string | LooseMarker): string {
  return unitsOf(typeof text === 'string' ? text : text.loose)
}

/** Reads results that a model makes up, in any tags, except those that the dialect reads itself. */
function resultsIn({ blocks, reasoning, ignored, end }: DialectDefinition): BlockDefinition {
  const own = [...blocks.map(({ open }) => open), reasoning?.open ?? [], ignored ?? [], end ?? []].flatMap(textsOf)
  const { open } = INVENTED_TOOL_RESPONSE
  return { ...INVENTED_TOOL_RESPONSE, open: textsOf(open).filter((text) => !own.includes(text)) }
}

/** Removes markers that start with a fence: a block inside a fence is always an example. */
function unfenced(open: Marker): Marker {
  return textsOf(open).filter((text) => !/^ *```/.test(typeof text === 'string' ? text : text.loose))
}

/** A block's markers that occur only in text meant as a call. */
function marksOf({ open, inside = [] }: BlockDefinition): readonly (string | LooseMarker)[] {
  return [open, inside]
    .flatMap(textsOf)
    .filter((text) => unitsOf(typeof text === 'string' ? text : text.loose).length >= SHORTEST)
}

/** One marker set per opener, created on demand. */
function toAgain(blocks: readonly BlockDefinition[]): (opener: string) => MarkerSet {
  const made = new Map<string, MarkerSet>()
  const texts = blocks.flatMap(({ open }) => textsOf(open)).map((text) => (typeof text === 'string' ? text : text.loose))
  return (opener) => {
    const units = unitsOf(opener)
    const again = made.get(units) ?? new MarkerSet({ again: texts.filter((text) => isAlone(units, text)).map(atLine) })
    made.set(units, again)
    return again
  }
}

/** A bracket or a backtick may be part of the block that it opens. */
function isAlone(units: string, text: string): boolean {
  return units.length >= SHORTEST && unitsOf(text) === units
}

const SHORTEST = 3

function atLine(text: string): LooseMarker {
  return loose(text.startsWith('\n') ? text : `\n ${text}`)
}

/** The text of a loose marker, without optional white space and numbers. */
function unitsOf(text: string): string {
  return text.replace(/[\s\d\0]/g, '')
}
