/** The errors of the package: a registry that cannot be made, and tools that cannot be resolved. */
import { isToolName } from '@x/tool-core'

export type RegistryErrorCode = 'duplicate_tool_name' | 'invalid_entry'

/** Thrown when a registry is created. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly code: RegistryErrorCode

  constructor(code: RegistryErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** - `not_found`: no such name. - The others: the name is known, but its loader failed, hung, or gave something else. */
export type ResolutionCode = 'not_found' | 'load_failed' | 'load_timeout' | 'invalid_module' | 'wrong_name'

/** Thrown inside a loader's wrapper; becomes a {@link ResolutionFailure}. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
  readonly code: Exclude<ResolutionCode, 'not_found'>

  constructor(code: LoadError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** What a loader threw, for a developer; whatever it was. */
export function describeThrown(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown)
  } catch {
    return 'a value without a text'
  }
}

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
  readonly cause?: unknown
}

/**
 * All tools of one agent that could not be resolved. The message has four sections for each: what is missing and who asked,
 * where it was searched, near names, and the fix. `identifier`, `searched` and `suggestions` are those of the first.
 */
export class ToolResolutionError extends Error {
  override readonly name = 'ToolResolutionError'
  readonly failures: readonly ResolutionFailure[]
  /** Name of the agent that asked; absent when a registry was asked directly. */
  readonly agent: string | undefined

  constructor(failures: readonly ResolutionFailure[], agent?: string) {
    super(
      failures.map((failure) => renderFailure(failure, agent)).join('\n\n'),
      failures[0]?.cause === undefined ? undefined : { cause: failures[0].cause },
    )
    this.failures = failures
    this.agent = agent
  }

  get code(): ResolutionCode {
    return (this.failures[0] as ResolutionFailure).code
  }
  get identifier(): string {
    return (this.failures[0] as ResolutionFailure).identifier
  }
  get searched(): readonly string[] {
    return (this.failures[0] as ResolutionFailure).searched
  }
  get suggestions(): readonly string[] {
    return (this.failures[0] as ResolutionFailure).suggestions
  }
}

function renderFailure(failure: ResolutionFailure, agent: string | undefined): string {
  const { code, identifier, searched, suggestions, detail } = failure
  const headline = code === 'not_found' ? 'Tool not found' : 'Tool failed to load'
  return [
    `❌ ${headline}: ${identifier}${agent === undefined ? '' : ` (agent "${agent}")`}`,
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

function listed(lines: readonly string[], empty: string): readonly string[] {
  return lines.length === 0 ? [`  ${empty}`] : lines.map((line) => `  - ${line}`)
}

function fixesOf(failure: ResolutionFailure): readonly string[] {
  const { code, identifier } = failure
  switch (code) {
    case 'not_found':
      return [...failure.suggestions.slice(0, 1).map((name) => `Correct the name: '${name}'`), ...additions(identifier)]
    case 'load_failed':
      return [`Make the module of "${identifier}" import without an error; the error's cause has the stack.`]
    case 'load_timeout':
      return [`Make the loader of "${identifier}" settle, or give it longer: createRegistry([...], { loadTimeoutMs: 30_000 })`]
    case 'invalid_module':
      return [`Export the tool as default: export default defineTool({ name: '${identifier}', ... })`]
    case 'wrong_name':
      return ['Give lazy() and defineTool() the same name.']
  }
}

/** Code that can be pasted as it stands, so nothing for a text that is no name. */
function additions(identifier: string): readonly string[] {
  const prefix = identifier.replace(/_*\*$/, '')
  if (!isToolName(prefix)) return ['Ask for a tool name: letters, digits and "_", at most 64 characters.']
  const variable = prefix.replace(/(\w)_+(\w)/g, (_, before: string, after: string) => before + after.toUpperCase())
  const file = `./${prefix.replaceAll('_', '-')}.js`
  if (prefix !== identifier)
    return [`Register a toolset of that name: createRegistry([..., ${variable}])`, `Or hand it over: tools: [${variable}]`]
  return [
    `Register it: createRegistry([..., lazy('${identifier}', () => import('${file}'))])`,
    `Or hand over the tool itself: tools: [${variable}]`,
  ]
}
