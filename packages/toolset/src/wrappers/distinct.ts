/** Finds duplicate tool names among parts, at compile time and at run time. */
import type { Tool, ToolSource } from '@x/tool-core'
import type { SourceName } from './source.ts'

/** The parts, if their literal names differ. Otherwise a message for the compiler to show. */
export type DistinctParts<Parts extends readonly unknown[]> = [Clash<Parts>] extends [never]
  ? unknown
  : `Two tools are named "${Clash<Parts>}"`

/** The names that a part shares with the parts before it. Tail-recursive, so that the type works for a hundred parts. */
type Clash<
  Parts extends readonly unknown[],
  Known extends string = never,
  Found extends string = never,
> = Parts extends readonly [infer First, ...infer Rest]
  ? Clash<Rest, Known | PartName<First>, Found | Shared<Known, PartName<First>>>
  : Found

/** The names of a part's tools in lower case, because names are compared without case at run time. */
type PartName<Part> = Part extends Tool
  ? Lowercase<Part['name']>
  : Part extends ToolSource
    ? Lowercase<SourceName<Part> & string>
    : never

/** The names that two unions share. The exact check reads all names, so it runs only if the unions may overlap. */
type Shared<Known extends string, Added extends string> = [Known & Added] extends [never]
  ? never
  : LiteralName<Known> & LiteralName<Added>

/**
 * The literal names in a union, in lower case. Excludes `string` and patterns such as `work_${string}`, which may match any number of
 * names.
 */
export type LiteralName<Name> = Name extends string
  ? Record<never, never> extends Record<Name, 1>
    ? never
    : Lowercase<Name>
  : never

/** Two entries with tools of the same name. */
export interface NameClash<Entry> {
  readonly first: Entry
  readonly second: Entry
}

/** Finds the first two different tools with the same name, ignoring case. */
export function findClash<Entry extends { readonly tool: { readonly name: string } }>(
  entries: readonly Entry[],
): NameClash<Entry> | undefined {
  const known = new Map<string, Entry>()
  for (const second of entries) {
    const key = second.tool.name.toLowerCase()
    const first = known.get(key)
    if (first === undefined) known.set(key, second)
    else if (first.tool !== second.tool) return { first, second }
  }
  return undefined
}
