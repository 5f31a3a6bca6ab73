/**
 * `defineTool` and `defineAction` without type inference, for tests of behaviour. The types are tested only in `*.test-d.ts`, because
 * testing them takes the compiler time.
 */

import { parallel as typedParallel } from '../src/compose/parallel.ts'
import { type Action, defineAction as defineTypedAction } from '../src/define/action.ts'
import type { ToolContext } from '../src/define/context.ts'
import { defineTool as defineTypedTool, type Tool } from '../src/define/tool.ts'

// biome-ignore lint/suspicious/noExplicitAny: the point of this file
export type Loose = any

interface LooseOptions {
  name: string
  execute?: (args: Loose, context: ToolContext<Loose>) => unknown
  toModelOutput?: Loose
  hooks?: Loose
  [option: string]: unknown
}

export const defineTool = defineTypedTool as unknown as (options: LooseOptions) => Tool<string, Loose, Loose>

export const defineAction = defineTypedAction as unknown as (options: LooseOptions) => Action<string, Loose, Loose>

export const parallel = typedParallel as unknown as (
  name: string,
  actions: { readonly [place: string]: Action },
) => Action<string, Loose, Loose>
