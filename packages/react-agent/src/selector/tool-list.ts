/** A list of tools for a selector: by name, and described for the prompt. Cached per list. */
import { isTool, type Tool, type ToolArgument, type ToolMap } from '@x/tool-core'
import { AgentError } from '../errors.ts'

export interface ToolList {
  readonly tools: ToolMap
  /** Frozen, so that an adapter can cache its specs. */
  readonly offered: readonly Tool[]
  /** The tools as text, one line each. */
  readonly described: string
}

/** Number of cached lists. */
const KEPT = 16

/**
 * Creates a cache of lists. The same tools in the same order give the same list, even in another array. Throws `invalid_options` for an entry
 * that isn't a tool, and for two tools with the same name.
 */
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
  const byName = new Map<string, Tool>()
  for (const [index, tool] of tools.entries()) {
    const place = `multiToolSelector, tool ${index}`
    if (!isTool(tool)) throw new AgentError('invalid_options', `${place}: this is not a tool. Create it with defineTool.`)
    if (byName.has(tool.name))
      throw new AgentError('invalid_options', `${place}: there is already a tool named "${tool.name}". Rename one of them.`)
    byName.set(tool.name, tool)
  }
  return { tools: byName, offered: Object.freeze([...tools]), described: tools.map(describeTool).join('\n') }
}

/** `name: description. Arguments: [a: type - desc, b: type - desc (optional)]` */
function describeTool({ name, description, arguments: list }: Tool): string {
  const words = `${name}: ${oneLine(description)}`
  // The format adds its own full stop.
  return list.length === 0 ? words : `${words.replace(/\.$/, '')}. Arguments: [${list.map(describeArgument).join(', ')}]`
}

function describeArgument({ name, type, description, required }: ToolArgument): string {
  return `${name}: ${type}${description === '' ? '' : ` - ${oneLine(description)}`}${required ? '' : ' (optional)'}`
}

/** Each tool takes one line of the list. */
function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
