/** The rules for tool names. */

import { ToolError } from '../errors.ts'

const TOOL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/

export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && TOOL_NAME.test(name)
}

/** Returns true if the pattern is this name, or a prefix of it followed by `*`, such as `get_*`. */
export function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/** Suggests what to pass instead of a value that isn't a tool. For a tool name, shows how to get the tool from a registry. */
export function insteadOf(given: unknown): string {
  if (!isToolName(given)) return 'Create it with defineTool.'
  return `Pass the tool itself. To get it from a registry, write (await registry.resolve('${given}')).get('${given}').`
}

/** Throws `invalid_definition` unless the name is an identifier of at most 64 characters, which every provider accepts. */
export function assertToolName(name: unknown, owner: string): asserts name is string {
  if (isToolName(name)) return
  const plain = typeof name === 'string' ? name.replace(/[^a-zA-Z0-9_]+/g, '_') : ''
  const hint = isToolName(plain) && plain !== '_' ? ` Write e.g. ${JSON.stringify(plain)}.` : ''
  throw new ToolError(
    'invalid_definition',
    `${owner}: invalid tool name ${JSON.stringify(name)}. Use letters, digits and "_", not starting with a digit, at most 64 characters.${hint}`,
  )
}
