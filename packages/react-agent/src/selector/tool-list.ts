/** Resolves the tools of a selector and describes them for the prompt. Cached per list. */
import { RegistryError } from '@x/registry'
import {
  isTool,
  isToolSource,
  type Tool,
  type ToolArgument,
  type ToolMap,
  type ToolResolver,
  type ToolSource,
} from '@x/tool-core'
import { listOf, wrongOption } from '../check-options.ts'
import { AgentError } from '../errors.ts'
import { type AgentEntry, isResolver, toRegistry } from '../tools/open-tools.ts'

/** A registry, a toolset or another source, a map of tools, or a list of tools, sources, lazy tools and references. */
export type SelectorTools = ToolResolver | ToolSource | ToolMap | readonly AgentEntry[]

const OWNER = 'multiToolSelector'

/**
 * Resolves the tools passed to a selector. The caller opens and closes sources. Rejects with `invalid_options` for any other value, and for
 * two tools with the same name.
 */
export async function resolveTools(given: SelectorTools | undefined): Promise<readonly Tool[]> {
  if (isResolver(given)) return [...(await given.resolveFor(OWNER)).values()]
  const list = given instanceof Map ? [...given.values()] : isToolSource(given) ? [given] : given
  if (!Array.isArray(list)) throw wrongOption(OWNER, 'tools', `${WHAT}${listOf(given)}`, given)
  if (list.every(isTool) && new Set(list.map(({ name }) => name.toLowerCase())).size === list.length) return list
  try {
    return [...(await (await toRegistry(list, OWNER, OWNER)).resolveFor(OWNER)).values()]
  } catch (error) {
    throw error instanceof RegistryError ? new AgentError('invalid_options', error.message, { cause: error }) : error
  }
}

const WHAT = 'a registry, a toolset, a map of tools or a list of tools'

export interface ToolList {
  readonly tools: ToolMap
  /** Frozen, so that an adapter can cache its specs. */
  readonly offered: readonly Tool[]
  /** The tools as text, one line each. */
  readonly described: string
}

/** Number of cached lists. */
const KEPT = 16

/** Creates a cache of lists. The same tools in the same order have the same list, even if they are in a different array. */
export function rememberToolLists(): (tools: readonly Tool[]) => ToolList {
  const lists: ToolList[] = []
  return (tools) => {
    const index = lists.findIndex(({ offered }) => isSame(offered, tools))
    const [list = toToolList(tools)] = index === -1 ? [] : lists.splice(index, 1)
    lists.push(list)
    if (lists.length > KEPT) lists.shift()
    return list
  }
}

function isSame(known: readonly Tool[], tools: readonly Tool[]): boolean {
  return known.length === tools.length && known.every((tool, index) => tool === tools[index])
}

function toToolList(tools: readonly Tool[]): ToolList {
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    offered: Object.freeze([...tools]),
    described: tools.map(describeTool).join('\n'),
  }
}

/** Describes a tool as `name: description. Arguments: [a: type - desc, b: type - desc (optional)]`. */
function describeTool({ name, description, arguments: list }: Tool): string {
  const words = `${name}: ${oneLine(description)}`
  // The format adds its own full stop.
  return list.length === 0 ? words : `${words.replace(/\.$/, '')}. Arguments: [${list.map(describeArgument).join(', ')}]`
}

function describeArgument({ name, type, description, required }: ToolArgument): string {
  return `${name}: ${type}${description === '' ? '' : ` - ${oneLine(description)}`}${required ? '' : ' (optional)'}`
}

/** Puts the text on one line, because the list has one line for each tool. */
function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
