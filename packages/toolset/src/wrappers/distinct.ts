/** Finds at compile time a name that two parts have in common. */
import type { Tool, ToolSource } from '@x/tool-core'
import type { SourceName } from './source.ts'

/** Accepts parts whose literal names differ. Otherwise resolves to the message that the compiler shows. */
export type DistinctParts<Parts extends readonly unknown[]> = [Clash<Parts>] extends [never]
  ? unknown
  : `Two tools are named "${Clash<Parts>}"`

/** Names that a part shares with those before it. Tail-recursive, so a hundred parts are no problem. */
type Clash<
  Parts extends readonly unknown[],
  Known extends string = never,
  Found extends string = never,
> = Parts extends readonly [infer First, ...infer Rest]
  ? Clash<Rest, Known | PartName<First>, Found | Shared<Known, PartName<First>>>
  : Found

/** Lower-case names, because names are compared without case at run time. */
type PartName<Part> = Part extends Tool
  ? Lowercase<Part['name']>
  : Part extends ToolSource
    ? Lowercase<SourceName<Part> & string>
    : never

/** The exact check walks over all names, so it runs only where names may be shared. */
type Shared<Known extends string, Added extends string> = [Known & Added] extends [never]
  ? never
  : LiteralName<Known> & LiteralName<Added>

/** Excludes `string` and patterns such as `work_${string}`, which don't determine a single name. */
export type LiteralName<Name> = Name extends string
  ? Record<never, never> extends Record<Name, 1>
    ? never
    : Lowercase<Name>
  : never
