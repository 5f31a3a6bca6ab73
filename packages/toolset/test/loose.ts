/** The API without types, for tests of behaviour. Types are tested, and cost the compiler time, only in `*.test-d.ts`. */
import {
  type Action,
  defineAction as defineTypedAction,
  defineTool as defineTypedTool,
  type Tool,
  type ToolContext,
} from '@x/tool-core'
import { type DefinedToolset, defineToolset as defineTypedToolset } from '../src/toolset/define-toolset.ts'
import { exposeMethods as exposeTypedMethods } from '../src/toolset/expose-methods.ts'
import { type ToolMethod, method as typedMethod } from '../src/toolset/method.ts'
import { Toolset as TypedToolset } from '../src/toolset/toolset.ts'
import { approvalRequired as typedApprovalRequired } from '../src/wrappers/approval-required.ts'
import { combine as typedCombine } from '../src/wrappers/combine.ts'
import { filtered as typedFiltered } from '../src/wrappers/filtered.ts'
import { prefixed as typedPrefixed } from '../src/wrappers/prefixed.ts'
import { renamed as typedRenamed } from '../src/wrappers/renamed.ts'
import type { DerivedSource } from '../src/wrappers/source.ts'
import { withContext as typedWithContext } from '../src/wrappers/with-context.ts'
import { wrapped as typedWrapped } from '../src/wrappers/wrapped.ts'

// biome-ignore lint/suspicious/noExplicitAny: the point of this file
export type Loose = any

type LooseSource = DerivedSource<readonly Tool[]>

interface LooseOptions {
  execute?: (args: Loose, context: ToolContext<Loose>) => unknown
  toModelOutput?: (output: Loose) => unknown
  [option: string]: unknown
}

export const defineTool = as<(options: LooseOptions) => Tool>(defineTypedTool)
export const defineAction = as<(options: LooseOptions) => Action>(defineTypedAction)
export const defineToolset = as<(options: Loose) => DefinedToolset>(defineTypedToolset)
export const exposeMethods =
  as<(instance: object, name: string, table: object, options?: object) => LooseSource>(exposeTypedMethods)
export const method = as<(options: LooseOptions) => ToolMethod<Loose, Loose>>(typedMethod)

export const approvalRequired = as<(source: unknown, selection?: Selection) => LooseSource>(typedApprovalRequired)
export const combine = as<(...parts: readonly unknown[]) => LooseSource>(typedCombine)
export const filtered = as<(source: unknown, selection: Selection) => LooseSource>(typedFiltered)
export const prefixed = as<(source: unknown, prefix: string) => LooseSource>(typedPrefixed)
export const renamed = as<(source: unknown, names: object) => LooseSource>(typedRenamed)
export const withContext = as<(source: unknown, values: object) => LooseSource>(typedWithContext)
export const wrapped = as<(source: unknown, around: Around) => LooseSource>(typedWrapped)

type Selection = readonly string[] | ((tool: Tool) => boolean)
type Around = (call: Loose, next: (args?: object) => Loose) => unknown

/** Base class for tests. Its fields use `method` from this file. */
export const Toolset = as<abstract new () => Toolset>(TypedToolset)
export interface Toolset extends AsyncDisposable {
  readonly instructions?: string | undefined
  tools(): readonly Tool[]
}

/** Removes the types from a class of toolsets: `const MemoryToolset = asLooseClass(TypedMemoryToolset)`. */
export function asLooseClass(toolset: unknown): new (options?: Loose) => LooseToolset {
  return as(toolset)
}

/** A toolset whose methods accept and return anything. */
export interface LooseToolset {
  tools(): readonly Tool[]
  [member: string]: Loose
}

function as<Type>(value: unknown): Type {
  return value as Type
}
