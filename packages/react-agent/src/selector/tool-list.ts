/** A list of tools as a selector needs it: by name, and as the prompt tells of it; made once for a list. */
import { isTool, type Tool, type ToolArgument, type ToolMap } from '@x/tool-core'
import { AgentError } from '../errors.ts'

export interface ToolList {
  readonly tools: ToolMap
  /** Frozen, so that an adapter makes its specs once. */
  readonly offered: readonly Tool[]
  /** One line for each tool. */
  readonly described: string
}

/** How many lists are kept. */
const KEPT = 16

/**
 * A list for the very same tools in the same order is made once, also when they come in another array. Throws `invalid_options`
 * for what is no tool, and for two of one name.
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
    if (!isTool(tool)) throw new AgentError('invalid_options', `${place}: not a tool. Make it with defineTool.`)
    if (byName.has(tool.name))
      throw new AgentError('invalid_options', `${place}: there is already a tool named "${tool.name}". Rename one.`)
    byName.set(tool.name, tool)
  }
  return { tools: byName, offered: Object.freeze([...tools]), described: tools.map(describeTool).join('\n') }
}

/** `name: description. Arguments: [a: type - desc, b: type - desc (optional)]` */
export function describeTool({ name, description, arguments: list }: Tool): string {
  const words = `${name}: ${oneLine(description)}`
  // The format brings its own full stop.
  return list.length === 0 ? words : `${words.replace(/\.$/, '')}. Arguments: [${list.map(describeArgument).join(', ')}]`
}

function describeArgument({ name, type, description, required }: ToolArgument): string {
  return `${name}: ${type}${description === '' ? '' : ` - ${oneLine(description)}`}${required ? '' : ' (optional)'}`
}

/** A list has a line for each tool. */
function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
