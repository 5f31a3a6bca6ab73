/** Decides for each tool whether the model calls it directly, its programs call it, or both. */
import type { LazyTool, Registry } from '@x/registry'
import { matchesName } from '@x/tool-core'
import { assertMatching, assertOptions } from './assert-matching.ts'
import { type CodeTools, toSource } from './callable.ts'
import { CODE_TOOL_OPTIONS, type CodeTool, type CodeToolOptions, codeTool } from './code-tool.ts'
import { CodeError } from './errors.ts'

/** `direct`: the model calls the tool itself. `code`: its programs call the tool. */
export type Caller = 'direct' | 'code'

export interface CodeModeOptions<Name extends string = string> extends Omit<CodeToolOptions<Name>, 'allow'> {
  /**
   * The callers of each tool, by the tool's name or by a pattern such as `get_*`. A name takes precedence over a pattern, and a longer
   * pattern over a shorter one. Default for a tool that matches nothing: `['code']`.
   */
  readonly callers: Readonly<Record<string, readonly Caller[]>>
}

/** `callers` takes the place of `allow`. */
const OPTIONS = ['callers', ...CODE_TOOL_OPTIONS.filter((option) => option !== 'allow')]
const CALLERS: readonly unknown[] = ['direct', 'code'] satisfies readonly Caller[]

/**
 * Returns the tools for an agent: `run_code` for the tools that programs may call, followed by the tools that the model may call
 * directly. Tools that are added to the registry later aren't included. No tool is imported. Throws `CodeError` with `invalid_option` or `missing_package`.
 */
export function codeMode<const Name extends string = 'run_code'>(
  tools: CodeTools,
  { callers, ...options }: CodeModeOptions<Name>,
): readonly [CodeTool<Name>, ...LazyTool[]] {
  assertOptions('codeMode', options, OPTIONS)
  const source = toSource(tools) as unknown as Registry
  const { names } = source
  assertCallers(callers, names)
  const patterns = Object.keys(callers).sort((one, other) => (rank(one) < rank(other) ? 1 : -1))
  const may = (caller: Caller, name: string) => {
    const pattern = patterns.find((each) => matchesName(each, name))
    return (pattern === undefined ? ['code'] : (callers[pattern] ?? [])).includes(caller)
  }
  const direct = names.filter((name) => may('direct', name))
  const allow = names.filter((name) => may('code', name))
  if (names.length > 0 && allow.length === 0)
    throw new CodeError(
      'invalid_option',
      "codeMode: callers leaves no tool to programs. Add 'code' to a tool, or give the agent the tools without codeMode.",
    )
  const code = codeTool(source, { ...options, allow })
  if (direct.includes(code.name))
    throw new CodeError(
      'invalid_option',
      `codeMode: name is "${code.name}", which is also a tool that the model calls directly. Pass another name.`,
    )
  return [code, ...(direct.length === 0 ? [] : (source.tools(...(direct as never[])) as readonly LazyTool[]))]
}

function rank(pattern: string): number {
  return pattern.endsWith('*') ? pattern.length : Number.POSITIVE_INFINITY
}

function assertCallers(callers: CodeModeOptions['callers'], names: readonly string[]): void {
  if (typeof callers !== 'object' || callers === null || Array.isArray(callers))
    throw new CodeError('invalid_option', "codeMode: callers must be an object such as { pay: ['direct'], 'get_*': ['code'] }.")
  for (const [pattern, list] of Object.entries(callers)) {
    if (!Array.isArray(list) || list.some((caller) => !CALLERS.includes(caller)))
      throw new CodeError('invalid_option', `codeMode: callers["${pattern}"] must be a list of 'direct' and 'code'.`)
    assertMatching('codeMode: callers', [pattern], names)
  }
}
