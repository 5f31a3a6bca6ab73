/** Describes why a tool could not be resolved: as four sections for people, or as one line for logs. */
import { isToolName } from '@x/tool-core'

/**
 * - `not_found`: the name is unknown. For all other codes the name is known:
 * - `load_failed`, `load_timeout`: its loader threw, or did not settle before the timeout;
 * - `invalid_module`, `wrong_kind`, `wrong_name`: its loader returned no tool, a toolset instead of a tool or vice versa,
 *   or a tool of another name;
 * - `invalid_options`: its options don't match the schema of its factory;
 * - `circular`: loaders wait for each other;
 * - `conflict`: a lazy toolset provides a name that is already taken.
 */
export type ResolutionCode =
  | 'not_found'
  | 'load_failed'
  | 'load_timeout'
  | 'invalid_module'
  | 'wrong_kind'
  | 'wrong_name'
  | 'invalid_options'
  | 'circular'
  | 'conflict'

/** Why one tool could not be resolved. */
export interface ResolutionFailure {
  readonly code: ResolutionCode
  /** The requested name or name pattern. */
  readonly identifier: string
  /** The places that were searched, in order. */
  readonly searched: readonly string[]
  /** Similar names, most similar first, at most three. */
  readonly suggestions: readonly string[]
  /** What went wrong. Absent when the name is unknown. */
  readonly detail?: string | undefined
  /** How to fix it, when the code alone doesn't say. */
  readonly fix?: string | undefined
  readonly cause?: unknown
}

export function renderFailure(failure: ResolutionFailure, agent: string | undefined): string {
  const { searched, suggestions, detail } = failure
  return [
    `❌ ${headlineOf(failure, agent)}`,
    ...(detail === undefined ? [] : [`   ${detail}`]),
    '',
    '📂 Searched in:',
    ...listed(searched, '(none)'),
    '',
    '💡 Suggestions:',
    ...listed(
      suggestions.map((name) => `Did you mean "${name}"?`),
      '(No suggestions available)',
    ),
    '',
    '🔧 To fix:',
    ...fixesOf(failure).map((fix, index) => `  ${index + 1}. ${fix}`),
  ].join('\n')
}

/** Formats a failure as a single line. */
export function renderPlainly(failure: ResolutionFailure, agent: string | undefined): string {
  const { searched, suggestions, detail } = failure
  const parts = [
    `${headlineOf(failure, agent)}.`,
    ...(detail === undefined ? [] : [detail]),
    `Searched in: ${searched.join('; ') || 'nothing'}.`,
    ...suggestions.slice(0, 1).map((name) => `Did you mean "${name}"?`),
    `To fix: ${fixesOf(failure).join('; or: ')}`,
  ]
  const lines = parts.join(' ').split('\n')
  return lines.map((line) => line.trim()).join(' ')
}

/** A tool name has at most 64 characters, so a longer identifier is not one and is shortened. */
const MAX_IDENTIFIER = 200

function headlineOf({ code, identifier: whole }: ResolutionFailure, agent: string | undefined): string {
  const identifier = whole.length > MAX_IDENTIFIER ? `${whole.slice(0, MAX_IDENTIFIER)}…` : whole
  const headline = code === 'not_found' ? 'Tool not found' : 'Tool failed to load'
  return `${headline}: ${identifier}${agent === undefined ? '' : ` (agent "${agent}")`}`
}

function listed(lines: readonly string[], empty: string): readonly string[] {
  return lines.length === 0 ? [`  ${empty}`] : lines.map((line) => `  - ${line}`)
}

function fixesOf(failure: ResolutionFailure): readonly string[] {
  const { code, identifier, fix } = failure
  if (fix !== undefined) return [fix]
  switch (code) {
    case 'not_found':
      return [...failure.suggestions.slice(0, 1).map((name) => `Correct the name: '${name}'`), ...additions(identifier)]
    case 'load_failed':
      return [`Make the module of "${identifier}" import without an error. The error's cause has the stack.`]
    case 'load_timeout':
      return [`Make the loader of "${identifier}" settle, or raise the timeout: createRegistry([...], { loadTimeoutMs: 30_000 })`]
    case 'invalid_module':
      return [`Export the tool as default: export default defineTool({ name: '${identifier}', ... })`]
    case 'wrong_kind':
      return ['Use lazyToolset() for a toolset and lazy() for a tool.']
    case 'wrong_name':
      return ['Pass the same name to lazy() and defineTool().']
    case 'invalid_options':
      return [`Pass options that match the schema of its factory: tool(${variableOf(identifier)}, { … })`]
    case 'conflict':
      return ['Remove or rename one of them.']
    case 'circular':
      return ['Break the cycle: resolve the other tools when the tool is called, not while it is loaded.']
  }
}

/** Code to paste. For an identifier that cannot be a tool name, the rules for names. */
function additions(identifier: string): readonly string[] {
  const stem = identifier.endsWith('*') ? identifier.slice(0, -1) : identifier
  const prefix = stem !== identifier && stem.endsWith('_') ? stem.slice(0, -1) : stem
  if (!isToolName(prefix)) return ['Use a valid tool name: letters, digits and "_", at most 64 characters.']
  const variable = variableOf(prefix)
  const file = `./${prefix.replaceAll('_', '-')}.js`
  if (prefix !== identifier)
    return [`Register a toolset of that name: createRegistry([..., ${variable}])`, `Or pass it directly: tools: [${variable}]`]
  return [
    `Register it: createRegistry([..., lazy('${identifier}', () => import('${file}'))])`,
    `Or pass the tool itself: tools: [${variable}]`,
  ]
}

function variableOf(name: string): string {
  return name.replace(/(\w)_+(\w)/g, (_, before: string, after: string) => before + after.toUpperCase())
}
