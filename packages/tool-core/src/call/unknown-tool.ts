/** The error for a call of a tool that doesn't exist. */

import { nearestNames } from '../define/name.ts'
import { ToolError } from '../errors.ts'
import { namelessCall, noSuchTool } from '../prompts.ts'

/** Returns an `unknown_tool` error that suggests the nearest name and lists the available tools. */
export function unknownTool(wrong: unknown, all: Iterable<string>): ToolError {
  const names = [...all]
  if (typeof wrong !== 'string') return new ToolError('unknown_tool', namelessCall(names))
  const name = wrong.slice(0, 100)
  const [nearest] = nearestNames(name, names, 1)
  return new ToolError('unknown_tool', noSuchTool(name, nearest, names))
}
