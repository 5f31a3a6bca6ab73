/** A definition as the machine runs it: its markers as sets, made once. */
import type { ToolSpec } from '@x/tool-core'
import type { BlockDefinition, DialectDefinition } from './definition.ts'
import type { DialectPolicy } from './dialect.ts'
import { type Marker, MarkerSet, textsOf } from './engine/marker.ts'
import type { MachineParts, MarkerKey } from './engine/text-machine.ts'
import { INVENTED_TOOL_RESPONSE } from './families/invented-result.ts'

type InFence = DialectPolicy['callInFence']

/** The parts for a request: one set for all of them, or one for each list of tools where the markers hold their names. */
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
  const inText = {
    ...(callInFence === 'call'
      ? ofBlocks
      : Object.fromEntries(Object.entries(ofBlocks).map(([key, open]) => [key, unfenced(open)]))),
    ...ofReasoning,
    ...(ignored && { ignored }),
    ...(end && { end }),
  } as Record<MarkerKey, Marker>
  return {
    inText: new MarkerSet(inText),
    inReasoning: new MarkerSet({ ...ofBlocks, ...ofReasoning }),
    endOfReasoning: new MarkerSet(ofReasoning ?? {}),
    blocks: atStart === undefined ? blocks : [...blocks, { read: atStart }],
    ...(atStart && { atStart: `block:${blocks.length}` }),
    reasonsAnywhere: reasoning?.anywhere === true,
    channels: reasoning?.channels,
  }
}

/** Results that a model makes up, in whatever tags it knows. What the dialect reads itself is left to it. */
function resultsIn({ blocks, reasoning, ignored, end }: DialectDefinition): BlockDefinition {
  const own = [...blocks.map(({ open }) => open), reasoning?.open ?? [], ignored ?? [], end ?? []].flatMap(textsOf)
  const { open } = INVENTED_TOOL_RESPONSE
  return { ...INVENTED_TOOL_RESPONSE, open: textsOf(open).filter((text) => !own.includes(text)) }
}

/** Without what begins with a fence: a block in there is an example from its first word on. */
function unfenced(open: Marker): Marker {
  return textsOf(open).filter((text) => !/^ *```/.test(typeof text === 'string' ? text : text.loose))
}
