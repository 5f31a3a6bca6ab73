/** Converts external names, such as `math.factorial` in a catalog or `get-sum` on an MCP server, to tool names. */
import { ToolError } from '../errors.ts'
import { isToolName } from './name.ts'

/** A one-to-one mapping between external names and tool names. */
export interface ForeignNames {
  /** Returns the tool name for an external name. Throws `invalid_definition` for a name that isn't in the list. */
  toToolName(foreign: string): string
  /** Returns the external name for a tool name. Undefined for an unknown tool name. */
  toForeignName(name: string): string | undefined
}

/**
 * Maps each name in a list to a tool name. A valid tool name is kept. In any other name, each character that tool names can't contain
 * becomes `_`: `math.factorial` becomes `math_factorial`. If the result is too long, or differs from another name at most in case, it is
 * shortened and a hash of the original name is appended. The order of the list doesn't matter.
 */
export function foreignNames(list: Iterable<string>): ForeignNames {
  /** The tool name of each external name. */
  const tools = new Map<string, string>()
  const others: string[] = []
  /** The names that don't change. Keys in lower case, because tools whose names differ only in case can't be used together. */
  const kept = new Map<string, string>()
  for (const name of list) {
    if (tools.has(name)) continue
    tools.set(name, name)
    if (!isToolName(name)) {
      others.push(name)
      continue
    }
    const key = name.toLowerCase()
    const known = kept.get(key)
    if (known === undefined || name < known) kept.set(key, name)
    if (known !== undefined) others.push(kept.get(key) === name ? known : name)
  }
  others.sort()
  const users = new Map<string, number>()
  const keyOf = (name: string) => toPlain(name).toLowerCase()
  for (const name of others) users.set(keyOf(name), (users.get(keyOf(name)) ?? 0) + 1)
  const foreign = new Map<string, string>()
  const taken = new Set<string>()
  const isTaken = (tool: string) => kept.has(tool.toLowerCase()) || taken.has(tool.toLowerCase())
  for (const name of others) {
    const plain = toPlain(name)
    const isFree = users.get(keyOf(name)) === 1 && !kept.has(keyOf(name))
    let tool = isFree && isToolName(plain) ? plain : withHash(plain, name)
    // If the hash clashes with another name, a longer text is hashed.
    for (let text = name; isTaken(tool); tool = withHash(plain, text)) text += name
    tools.set(name, tool)
    foreign.set(tool, name)
    taken.add(tool.toLowerCase())
  }
  return {
    toToolName(name) {
      const tool = tools.get(name)
      if (tool !== undefined) return tool
      throw new ToolError(
        'invalid_definition',
        `The list passed to foreignNames() doesn't contain the name ${JSON.stringify(name)}.`,
      )
    },
    toForeignName: (name) => foreign.get(name) ?? (tools.get(name) === name ? name : undefined),
  }
}

function toPlain(name: string): string {
  const plain = name.replace(/\W/gu, '_')
  return /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`
}

const MAX_LENGTH = 64

function withHash(plain: string, name: string): string {
  const hash = hashOf(name)
  return `${plain.slice(0, MAX_LENGTH - 1 - hash.length)}_${hash}`
}

/** Returns the FNV-1a hash of a string, in base 36. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
