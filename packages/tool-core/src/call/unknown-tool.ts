/** Answers a call of a tool that is not there. */

import { nearestNames } from '../define/name.ts'
import { ToolError } from '../errors.ts'

const MAX_LISTED = 20

/** Such as a call as a provider sends it. */
const NAMELESS = 'The call has no name. A call is { id, name, args }, with parsed args; an adapter reads them out of replies.'

/** For a name that no tool has: with the nearest one, and those that there are. */
export function unknownTool(wrong: unknown, all: Iterable<string>): ToolError {
  const name = typeof wrong === 'string' ? wrong.slice(0, 100) : ''
  const names = [...all]
  const [nearest] = nearestNames(name, names, 1)
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : ''
  const known = names.length === 0 ? 'There are no tools.' : `Tools: ${names.slice(0, MAX_LISTED).join(', ')}${more}.`
  const what = typeof wrong === 'string' ? `There is no tool ${JSON.stringify(name)}.${hint}` : NAMELESS
  return new ToolError('unknown_tool', `${what} ${known}`)
}
