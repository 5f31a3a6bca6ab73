/** Defines a group of tools that share a purpose but no state. */
import { insteadOf, isTool, type NameOf, type Tool, ToolError, type ToolSource } from '@x/tool-core'
import { shown } from '../option.ts'
import { type DistinctParts, findClash } from '../wrappers/distinct.ts'
import { assertKnownNames } from '../wrappers/selection.ts'

/** A request, and the tools that a model should call for it. */
export interface ToolsetTestCase<Name extends string = string> {
  readonly request: string
  /** Names of the tools, in the order of the calls. Empty if no tool fits the request. */
  readonly expectedTools: readonly Name[]
  /** The arguments to compare, for each tool. */
  readonly expectedArguments?: { readonly [Key in Name]?: Readonly<Record<string, unknown>> } | undefined
  readonly scenario?: string | undefined
}

export interface ToolsetOptions<Name extends string, Tools extends readonly Tool[]> {
  name: Name
  /** What the tools are for, in one sentence. */
  description: string
  /** The tools, in the order that the model sees. */
  tools: Tools & DistinctParts<Tools>
  /** Instructions for the model about the tools as a group. */
  instructions?: string | undefined
  testCases?: readonly ToolsetTestCase<NoInfer<NameOf<Tools[number]>>>[] | undefined
  open?: (() => Promise<void>) | undefined
  close?: (() => Promise<void>) | undefined
}

/** A group of tools, each under its own name. The object and its lists are frozen. */
export interface DefinedToolset<Name extends string = string, T extends Tool = Tool> extends ToolSource, AsyncDisposable {
  readonly name: Name
  readonly description: string
  readonly testCases: readonly ToolsetTestCase<NameOf<T>>[]
  tools(): readonly T[]
}

/**
 * Groups existing tools. To add a tool, define it and put it in the list. Two tools with the same name, or an expected name that isn't in
 * the list, throw `invalid_definition`. If the names are literal, the compiler reports the mistake.
 */
export function defineToolset<const Name extends string, const Tools extends readonly Tool[]>(
  options: ToolsetOptions<Name, Tools>,
): DefinedToolset<Name, Tools[number]> {
  if (typeof options !== 'object' || options === null) throw new ToolError('invalid_definition', noDefinition(options))
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

function noDefinition(given: unknown): string {
  return `defineToolset: the definition must be an object, got ${shown(given)}. Write defineToolset({ name, description, tools }).`
}

function assertText(field: string, text: unknown, owner: string): void {
  if (typeof text === 'string' && text.trim() !== '') return
  throw new ToolError('invalid_definition', `${owner}: ${field} must be a non-empty string, got ${shown(text)}.`)
}

function checkTools(tools: unknown, owner: string): readonly Tool[] {
  if (!Array.isArray(tools))
    throw new ToolError('invalid_definition', `${owner}: tools must be a list of tools, got ${shown(tools)}. Write [tool].`)
  tools.forEach((tool, index) => {
    if (isTool(tool)) return
    throw new ToolError('invalid_definition', `${owner}: entry ${index + 1} of tools is not a tool. ${insteadOf(tool)}`)
  })
  const clash = findClash(tools.map((tool: Tool) => ({ tool })))
  if (clash === undefined && new Set(tools).size === tools.length) return Object.freeze([...tools])
  const name = clash?.second.tool.name ?? tools.find((tool, index) => tools.indexOf(tool) !== index).name
  throw new ToolError(
    'invalid_definition',
    `${owner}: two tools are named "${name}" (case is ignored). Remove or rename one of them.`,
  )
}

function checkCase(testCase: ToolsetTestCase, tools: readonly Tool[], owner: string): ToolsetTestCase {
  const { request, expectedTools, expectedArguments = {} } = testCase
  assertText('the request of a test case', request, owner)
  const inCase = `${owner}: the test case ${JSON.stringify(request)}`
  assertKnownNames(inCase, expectedTools, tools)
  const extra = Object.keys(expectedArguments).find((name) => !expectedTools.includes(name))
  if (extra !== undefined) {
    throw new ToolError(
      'invalid_definition',
      `${inCase} has expectedArguments for "${extra}", which is not in its expectedTools. Add it there, or remove its arguments.`,
    )
  }
  return Object.freeze({ ...testCase, expectedTools: Object.freeze([...expectedTools]) })
}
