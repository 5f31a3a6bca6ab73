/** Creates the tool with which a model runs programs. */
import type { EntryName, Registry } from '@x/registry'
import { defineTool, programHostOf, type Tool, type ToolContext, ToolError, type ToolSource } from '@x/tool-core'
import { assertOptions } from './assert-matching.ts'
import { CallableTools, type CodeTools } from './callable.ts'
import { declareAll, hasMore, MAX_DECLARATIONS } from './declarations/declarations.ts'
import { CodeError } from './errors.ts'
import { assertFlow, DataFlow, type Flow } from './flow.ts'
import { type Limits, readLimits } from './limits.ts'
import { assertInstalled, canRemoveTypes, InlinePlace, WorkerPlace } from './place.ts'
import { describeCode, describeTool } from './prompts.ts'
import { type CodeOutput, runProgram } from './run-program.ts'

export interface CodeToolOptions<Name extends string = string> {
  /** Name of the tool. Default: `run_code`. */
  readonly name?: Name | undefined
  /** Names and patterns (`get_*`) of the tools that a program may call. Default: all. */
  readonly allow?: readonly string[] | undefined
  readonly limits?: Partial<Limits> | undefined
  /** Maximum length of the declarations in the description, in characters. Default: 8,000, which is about 2,000 tokens. */
  readonly declarationLength?: number | undefined
  /**
   * Maximum duration of a program, including its calls, in milliseconds. Time spent waiting for a person doesn't count. Default: 300,000.
   */
  readonly timeoutMs?: number | undefined
  /** Requires approval for a call that acts if data from strangers could have reached it. Default: no such approvals. */
  readonly flow?: Flow | undefined
  /**
   * Runs programs in the caller's thread instead of a worker. A program can then block the thread for `limits.timeMs`. Some built-in
   * functions can't be interrupted, and may block it for minutes. Default: false.
   */
  readonly inline?: boolean | undefined
  /**
   * URL of `quickjs.wasm` from the package `quickjs-wasi`. Required in browsers, where it may be relative to the page. Default: the file
   * of the installed package.
   */
  readonly wasm?: string | URL | undefined
}

/** A tool that runs programs. An agent with this tool emits events of the calls that its programs make, which have the names `Nested`. */
export type CodeTool<Name extends string = string, Nested extends string = string> = Tool<Name, { code: string }, CodeOutput> & {
  readonly nested: readonly Nested[]
}

/** The names of the tools that a program can call. `string` if they aren't known. */
export type NestedName<Tools> = NameIn<Tools> | 'search' | 'describe'

type NameIn<Tools> =
  Tools extends Registry<infer Named>
    ? keyof Named & string
    : Tools extends readonly (infer Entry)[]
      ? EntryName<Entry>
      : Tools extends ToolSource
        ? EntryName<Tools>
        : string

/** An object, so that no option can be missing. */
const OPTIONS: { readonly [Option in keyof CodeToolOptions]-?: true } = {
  name: true,
  allow: true,
  limits: true,
  declarationLength: true,
  timeoutMs: true,
  flow: true,
  inline: true,
  wasm: true,
}
export const CODE_TOOL_OPTIONS: readonly string[] = Object.keys(OPTIONS)

/** Plain JSON Schemas, so that this package doesn't have to load TypeBox. Shared by all tools, so that each is compiled once. */
const ARGS = argsOf(describeCode(false))
const TYPED_ARGS = argsOf(describeCode(true))

function argsOf(description: string) {
  return { type: 'object', properties: { code: { type: 'string', minLength: 1, description } }, required: ['code'] }
}

/**
 * Creates a tool that runs a model's programs in a sandbox. A program can call the given tools. Each call is validated, approved,
 * recorded and reported like a call by the model itself. A tool is imported only when a program calls it. Give the agent the other tools
 * only if the model should also call them directly. Throws `CodeError` with `invalid_option` or `missing_package`.
 */
export function codeTool<const Name extends string = 'run_code', const Tools extends CodeTools = CodeTools>(
  tools: Tools,
  options: CodeToolOptions<Name> = {},
): CodeTool<Name, NestedName<Tools>> {
  assertOptions('codeTool', options, CODE_TOOL_OPTIONS)
  const { name = 'run_code', allow, flow, inline = false, timeoutMs = 300_000, declarationLength = MAX_DECLARATIONS } = options
  const wasm = options.wasm === undefined ? undefined : toUrl(options.wasm)
  const limits = readLimits(options.limits)
  if (!Number.isSafeInteger(declarationLength) || declarationLength < 0)
    throw new CodeError(
      'invalid_option',
      `codeTool: declarationLength must be an integer of at least 0, got ${String(declarationLength)}.`,
    )
  const callable = new CallableTools(tools, allow)
  assertFlow(flow, callable)
  if (wasm === undefined) assertInstalled()
  const { cards } = callable
  const { text, isComplete } = declareAll(cards, declarationLength)
  if (!isComplete) callable.assertSearchable()
  const hasDetails = !isComplete || (!callable.names.includes('describe') && cards.some(hasMore))
  return defineTool({
    name,
    description: describeTool(text, { hasSearch: !isComplete, hasDetails }),
    args: (canRemoveTypes() ? TYPED_ARGS : ARGS) as never,
    effect: cards.every(({ effect }) => effect === 'read') ? 'read' : 'write',
    nested: [],
    timeoutMs,
    execute: ({ code }: { code: string }, context: ToolContext) => {
      const host = programHostOf(context)
      if (host === undefined) throw new ToolError('nested_unavailable', `"${name}" runs programs only when an agent calls it.`)
      const place = inline ? new InlinePlace() : new WorkerPlace()
      return runProgram(code, { host, place, callable, limits, wasm, signal: context.signal, flow: flow && new DataFlow(flow) })
    },
  } as never) as never
}

/** Resolves the URL in the caller's thread, because a worker has a different base URL. */
function toUrl(wasm: string | URL): string {
  const { location } = globalThis as { readonly location?: { readonly href: string } }
  const base = location?.href ?? 'file:'
  if (URL.canParse(String(wasm), base)) return new URL(wasm, base).href
  throw new CodeError('invalid_option', `codeTool: wasm must be the URL of quickjs.wasm, got ${String(wasm)}.`)
}
