/** Finds, when the code is compiled, a name that two parts have in common. */
import type { Tool, ToolSource } from '@x/tool-core'
import type { SourceName } from './source.ts'

/** Whatever the parts are when their literal names differ; else the words that the compiler shows. */
export type DistinctParts<Parts extends readonly unknown[]> = [Clash<Parts>] extends [never]
  ? unknown
  : `Two tools are named "${Clash<Parts>}"`

/** The names that a part has in common with those before it. Tail-recursive: a hundred parts are no problem. */
type Clash<
  Parts extends readonly unknown[],
  Known extends string = never,
  Found extends string = never,
> = Parts extends readonly [infer First, ...infer Rest]
  ? Clash<Rest, Known | PartName<First>, Found | Shared<Known, PartName<First>>>
  : Found

/** Without its case, as names are compared at run time. */
type PartName<Part> = Part extends Tool
  ? Lowercase<Part['name']>
  : Part extends ToolSource
    ? Lowercase<SourceName<Part> & string>
    : never

/** The exact question, which costs a walk over all names, is asked only where names may be shared. */
type Shared<Known extends string, Added extends string> = [Known & Added] extends [never]
  ? never
  : LiteralName<Known> & LiteralName<Added>

/** Without `string` and patterns such as `work_${string}`, which say nothing about a single name. */
export type LiteralName<Name> = Name extends string
  ? Record<never, never> extends Record<Name, 1>
    ? never
    : Lowercase<Name>
  : never
