/** Checks the names of options, and patterns of tool names. */
import { matchesName, nearestNames } from '@x/tool-core'
import { CodeError } from './errors.ts'

const MAX_LISTED = 20

/**
 * Throws `invalid_option` if a pattern matches none of the names and isn't one of the built-in functions. `*` may match nothing. `option`
 * starts with the function, as in "codeTool: allow".
 */
export function assertMatching(
  option: string,
  patterns: readonly string[],
  names: readonly string[],
  builtIn: readonly string[] = [],
): void {
  const known = [...names, ...builtIn]
  const unknown = patterns.find((each) => each !== '*' && !known.some((name) => matchesName(each, name)))
  if (unknown === undefined) return
  const stem = unknown.replace(/\*$/, '')
  const compared = (name: string) => (stem === unknown ? name : name.slice(0, stem.length))
  const [near] = nearestNames(stem, names.map(compared), 1)
  const nearest = names.find((name) => compared(name) === near)
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : ''
  const searched = names.length === 0 ? 'there are no tools yet' : `the tools are ${names.slice(0, MAX_LISTED).join(', ')}${more}`
  const hint = nearest === undefined ? 'Add the tools first, or leave it out.' : `Did you mean "${nearest}"?`
  throw new CodeError('invalid_option', `${option} lists "${unknown}", which matches no tool: ${searched}. ${hint}`)
}

/**
 * Throws `invalid_option` if the object has a key that isn't an option. A misspelled `allow` would permit everything without notice.
 * `path` is the path of the object, as in "limits.".
 */
export function assertOptions(owner: string, given: object, options: readonly string[], path = ''): void {
  const unknown = Object.keys(given).find((key) => !options.includes(key))
  if (unknown === undefined) return
  const [nearest] = nearestNames(unknown, options, 1)
  const hint = nearest === undefined ? '' : ` Did you mean "${path}${nearest}"?`
  const known = options.map((option) => path + option).join(', ')
  throw new CodeError('invalid_option', `${owner}: there is no option "${path}${unknown}".${hint} Options: ${known}.`)
}
