/** Why a tool could not be resolved, and the words for it: in four sections for people, in one line for logs. */
import { isToolName } from '@x/tool-core'

/**
 * - `not_found`: no such name. The others: the name is known, but
 * - `load_failed`, `load_timeout`: its loader threw, or did not settle within the deadline;
 * - `invalid_module`, `wrong_kind`, `wrong_name`: its loader gave no tool, a toolset in place of a tool or the other way round,
 *   or a tool with another name;
 * - `invalid_options`: its options do not fit the schema of its factory;
 * - `circular`: loaders wait for each other;
 * - `conflict`: what a lazy toolset brought is there already.
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
  /** The name or name pattern that was asked for. */
  readonly identifier: string
  /** Where it was looked for, in order. */
  readonly searched: readonly string[]
  /** Near names, nearest first, at most three. */
  readonly suggestions: readonly string[]
  /** What the loader said; absent when the name is unknown. */
  readonly detail?: string | undefined
  /** The way out, where the code alone does not tell it. */
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

/** In one line. */
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

/** A name has at most 64 characters; what is longer was never one. */
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
      return [`Make the module of "${identifier}" import without an error; the error's cause has the stack.`]
    case 'load_timeout':
      return [`Make the loader of "${identifier}" settle, or give it longer: createRegistry([...], { loadTimeoutMs: 30_000 })`]
    case 'invalid_module':
      return [`Export the tool as default: export default defineTool({ name: '${identifier}', ... })`]
    case 'wrong_kind':
      return ['Use lazyToolset() for a toolset and lazy() for a tool.']
    case 'wrong_name':
      return ['Give lazy() and defineTool() the same name.']
    case 'invalid_options':
      return [`Configure it with options that its factory takes: tool(${variableOf(identifier)}, { … })`]
    case 'conflict':
      return ['Leave one of them out, or rename one.']
    case 'circular':
      return ['Let one of the loaders do without the others: ask for the tools when they are called, not when they are loaded.']
  }
}

/** Code that can be pasted as it stands, so nothing for a text that is no name. */
function additions(identifier: string): readonly string[] {
  const stem = identifier.endsWith('*') ? identifier.slice(0, -1) : identifier
  const prefix = stem !== identifier && stem.endsWith('_') ? stem.slice(0, -1) : stem
  if (!isToolName(prefix)) return ['Ask for a tool name: letters, digits and "_", at most 64 characters.']
  const variable = variableOf(prefix)
  const file = `./${prefix.replaceAll('_', '-')}.js`
  if (prefix !== identifier)
    return [`Register a toolset of that name: createRegistry([..., ${variable}])`, `Or hand it over: tools: [${variable}]`]
  return [
    `Register it: createRegistry([..., lazy('${identifier}', () => import('${file}'))])`,
    `Or hand over the tool itself: tools: [${variable}]`,
  ]
}

function variableOf(name: string): string {
  return name.replace(/(\w)_+(\w)/g, (_, before: string, after: string) => before + after.toUpperCase())
}
