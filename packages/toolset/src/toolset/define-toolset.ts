/** A plain group of tools, for tools that share a purpose and no state. */
import { isTool, type NameOf, type Tool, ToolError, type ToolSource } from '@x/tool-core'
import type { DistinctParts } from '../wrappers/distinct.ts'
import { assertKnownNames } from '../wrappers/selection.ts'
import { findClash } from './name.ts'

/** A request, and the calls that a good choice of tools makes of it. */
export interface ToolsetTestCase<Name extends string = string> {
  readonly request: string
  /** In the order in which they are called; empty when no tool fits. */
  readonly expectedTools: readonly Name[]
  /** Those that matter, by tool. */
  readonly expectedArguments?: { readonly [Key in Name]?: Readonly<Record<string, unknown>> } | undefined
  /** What the case is about. */
  readonly scenario?: string | undefined
}

export interface ToolsetOptions<Name extends string, Tools extends readonly Tool[]> {
  name: Name
  /** What the tools are for, in one sentence. */
  description: string
  /** The tools themselves, in the order in which a model sees them. */
  tools: Tools & DistinctParts<Tools>
  /** Words for the model about the tools as a group. */
  instructions?: string | undefined
  testCases?: readonly ToolsetTestCase<NoInfer<NameOf<Tools[number]>>>[] | undefined
  open?: (() => Promise<void>) | undefined
  close?: (() => Promise<void>) | undefined
}

/** A group of tools under their own names. Frozen, with its lists. */
export interface DefinedToolset<Name extends string = string, T extends Tool = Tool> extends ToolSource, AsyncDisposable {
  readonly name: Name
  readonly description: string
  readonly testCases: readonly ToolsetTestCase<NameOf<T>>[]
  tools(): readonly T[]
}

/**
 * Groups tools that exist: a new one is defined and added to the list, nothing else. Two of one name, and an expected name
 * that is not in the list, are compile errors where names are literal, and throw `invalid_definition`.
 */
export function defineToolset<const Name extends string, const Tools extends readonly Tool[]>(
  options: ToolsetOptions<Name, Tools>,
): DefinedToolset<Name, Tools[number]> {
  if (typeof options !== 'object' || options === null) throw new ToolError('invalid_definition', NO_OPTIONS)
  const { name, description, instructions, testCases = [], open, close } = options as ToolsetOptions<string, readonly Tool[]>
  assertText('name', name, 'defineToolset')
  const owner = `defineToolset("${name}")`
  assertText('description', description, owner)
  const tools = checkTools(options.tools, owner)
  const cases = testCases.map((testCase) => checkCase(testCase, tools, owner))
  return Object.freeze({
    name,
    description,
    testCases: Object.freeze(cases),
    tools: () => tools,
    ...(instructions !== undefined && { instructions }),
    ...(open !== undefined && { open }),
    ...(close !== undefined && { close }),
    [Symbol.asyncDispose]: async () => close?.(),
  }) as never
}

const NO_OPTIONS = 'defineToolset: the definition is no object. Write defineToolset({ name, description, tools }).'

function assertText(field: string, text: unknown, owner: string): void {
  if (typeof text === 'string' && text.trim() !== '') return
  throw new ToolError('invalid_definition', `${owner}: ${field} is empty.`)
}

function checkTools(tools: unknown, owner: string): readonly Tool[] {
  if (!Array.isArray(tools)) throw new ToolError('invalid_definition', `${owner}: tools must be a list of tools.`)
  tools.forEach((tool, index) => {
    if (isTool(tool)) return
    throw new ToolError('invalid_definition', `${owner}: entry ${index + 1} of tools is no tool. Make it with defineTool.`)
  })
  const clash = findClash(tools.map((tool: Tool) => ({ tool })))
  if (clash === undefined && new Set(tools).size === tools.length) return Object.freeze([...tools])
  const name = clash?.second.tool.name ?? tools.find((tool, index) => tools.indexOf(tool) !== index).name
  throw new ToolError(
    'invalid_definition',
    `${owner}: two tools are named "${name}" (case does not count). Leave one out or rename it.`,
  )
}

function checkCase(testCase: ToolsetTestCase, tools: readonly Tool[], owner: string): ToolsetTestCase {
  const { request, expectedTools, expectedArguments = {} } = testCase
  assertText('the request of a test case', request, owner)
  const inCase = `${owner}: the test case ${JSON.stringify(request)}`
  assertKnownNames(inCase, expectedTools, tools)
  const extra = Object.keys(expectedArguments).find((name) => !expectedTools.includes(name))
  if (extra !== undefined) {
    throw new ToolError('invalid_definition', `${inCase} expects arguments of "${extra}", which is not among its expectedTools.`)
  }
  return Object.freeze({ ...testCase, expectedTools: Object.freeze([...expectedTools]) })
}
