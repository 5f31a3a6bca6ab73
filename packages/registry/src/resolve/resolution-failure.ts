/** Explains why a tool couldn't be resolved: in four sections for people, or on one line for logs. */
import { isToolName } from '@x/tool-core'

/**
 * The `code` of a `ToolResolutionError` and of each of its failures, meant for the programmer. It is also the `reason` of a call to a
 * tool that could not be loaded. The model reads only that the tool isn't available.
 *
 * - `not_found`: neither the registry, its resolvers nor its parents have an entry with this name. Fix: correct the name, register the
 *   tool, or pass the tool itself.
 * - `load_failed`: the module, its loader or a resolver threw an error. Fix: correct the code that threw; `cause` has the stack.
 * - `load_timeout`: the loader didn't settle in time. Fix: make it settle, or raise `loadTimeoutMs`.
 * - `invalid_module`: a loader, factory or resolver returned no tool, or a tool with a schema that can't be compiled. Fix: make a valid
 *   tool the module's default export.
 * - `wrong_kind`: the loader returned a toolset instead of a tool, or vice versa. Fix: use `lazyToolset` for a toolset and `lazy` for a
 *   tool.
 * - `wrong_name`: the tool's name differs from the entry's. Fix: pass the same name to `lazy` and `defineTool`.
 * - `invalid_options`: the options don't match the schema of the factory, or options were passed for a tool that isn't a factory. Fix:
 *   correct or remove the options.
 * - `circular`: loaders are waiting for each other. Fix: resolve the other tools when the tool is called, not while it is loaded.
 * - `conflict`: a lazy toolset provides a name that is already taken. Fix: rename or remove one of the two tools.
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
  /** The searched places, in order. */
  readonly searched: readonly string[]
  /** At most three similar names, most similar first. */
  readonly suggestions: readonly string[]
  /** What went wrong. Absent if no place has the name. */
  readonly detail?: string | undefined
  /** How to fix the problem, if the code alone isn't enough. */
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

/** Formats a failure on a single line. */
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

/** Maximum length of an identifier in a message. Tool names have at most 64 characters, so a longer identifier isn't a tool name. */
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
      return fixesOfName(identifier, failure.suggestions[0])
    case 'load_failed':
      return [`Make sure that the module of "${identifier}" can be imported. The error's cause has the stack.`]
    case 'load_timeout':
      return [`Make the loader of "${identifier}" settle, or raise the timeout: createRegistry([...], { loadTimeoutMs: 30_000 })`]
    case 'invalid_module':
      return [`Make the tool the module's default export: export default defineTool({ name: '${identifier}', ... })`]
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

/** Returns the fixes for an unknown name. If a similar name exists, the first fix is to correct the name. */
function fixesOfName(identifier: string, similar: string | undefined): readonly string[] {
  if (similar === undefined) return additions(identifier, 'Register it')
  return [`Correct the name: '${similar}'`, ...additions(identifier, 'Or register a new tool')]
}

/** Returns fixes with code to paste. If the identifier can't be a tool name, returns the rules for names instead. */
function additions(identifier: string, register: string): readonly string[] {
  const stem = identifier.endsWith('*') ? identifier.slice(0, -1) : identifier
  const prefix = stem !== identifier && stem.endsWith('_') ? stem.slice(0, -1) : stem
  if (!isToolName(prefix)) return ['Use a valid tool name: letters, digits and "_", at most 64 characters.']
  const variable = variableOf(prefix)
  const file = `./${prefix.replaceAll('_', '-')}.js`
  if (prefix !== identifier)
    return [`Register a toolset with that name: createRegistry([..., ${variable}])`, `Or pass it directly: tools: [${variable}]`]
  return [
    `${register}: createRegistry([..., lazy('${identifier}', () => import('${file}'))])`,
    `Or pass the tool itself: tools: [${variable}]`,
  ]
}

function variableOf(name: string): string {
  return name.replace(/(\w)_+(\w)/g, (_, before: string, after: string) => before + after.toUpperCase())
}
