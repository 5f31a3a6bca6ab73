/** The tools that a tool with `nested` may call, and what they imply for its own effect. */
import { declaresWrite, type Effect, matchesName, type Tool, type ToolMap } from '@x/tool-core'
import { RESERVED_NAMES } from '../loop/ending.ts'
import { CALL_TOOL } from '../prompts.ts'

/** The tools of a run, including the agent's own. */
export interface RunTools {
  readonly tools: ToolMap
  /** The agent's search tool. Only a model can use it and `call_tool`. Undefined for an agent without search. */
  readonly searchTool?: string | undefined
}

/** Returns the tool with this name if the outer tool may call it. */
export function allowedTool({ nested }: Tool, name: string, { tools, searchTool }: RunTools): Tool | undefined {
  if (nested === undefined || RESERVED_NAMES.includes(name)) return undefined
  if (searchTool !== undefined && (name === searchTool || name === CALL_TOOL)) return undefined
  const isAllowed = nested === true || nested.some((pattern) => matchesName(pattern, name))
  return isAllowed ? tools.get(name) : undefined
}

export function allowedNames(outer: Tool, run: RunTools): readonly string[] {
  return [...run.tools.keys()].filter((name) => name !== outer.name && allowedTool(outer, name, run) !== undefined)
}

/**
 * Returns the effect of a call. A tool with `nested` counts as a write, unless every tool that it may call is `read`, or it may call none.
 * In those cases its declared effect counts, `read` by default.
 */
export function effectOf(tool: Tool | undefined, run: RunTools): Effect | undefined {
  if (tool?.nested === undefined) return tool?.effect
  const isReading = allowedNames(tool, run).every((name) => run.tools.get(name)?.effect === 'read')
  if (isReading) return tool.effect ?? 'read'
  return declaresWrite(tool.effect) ? tool.effect : 'write'
}

/** Returns true if the tool may call any tools. */
export function mayCall({ nested }: Tool): boolean {
  return nested === true || (nested !== undefined && nested.length > 0)
}
