/** A wrapper that renames some of a source's tools. */
import { assertToolName, deriveTool, type Tool, ToolError, type ToolSource } from '@x/tool-core'
import { shown } from '../option.ts'
import { findClash, type LiteralName } from './distinct.ts'
import type { Named } from './lazy.ts'
import { assertKnownNames } from './selection.ts'
import { type DerivedSource, deriveSource, type ListingOf, oncePerTool, type SourceName, type SourceTool } from './source.ts'

export type RenamedTool<T extends Tool, Names> =
  T extends Tool<infer Name, infer Args, infer Output>
    ? Name extends keyof Names
      ? Tool<Names[Name] & string, Args, Output>
      : T
    : never

/** The names, if they are allowed. Otherwise a message for the compiler to show. */
export type LegalNames<Known extends string, Names> = [Problem<Known, Names>] extends [never] ? unknown : Problem<Known, Names>

type Problem<Known extends string, Names> = string extends keyof Names
  ? never
  : {
      [Key in keyof Names & string]: Key extends Known
        ? Lowercase<Names[Key] & string> extends Lowercase<Known> | OtherNew<Names, Key>
          ? Clash<Names[Key] & string, Exclude<Known, keyof Names> | OtherNew<Names, Key>>
          : never
        : `There is no tool "${Key}"`
    }[keyof Names & string]

type OtherNew<Names, Key> = Lowercase<Names[Exclude<keyof Names, Key>] & string>

/** A message if a new name is taken. The exact check reads all names, so it runs only for a name that may be taken. */
type Clash<Name extends string, Taken> = Lowercase<Name> extends LiteralName<Taken> ? `Two tools would be named "${Name}"` : never

/**
 * Renames the tools that are keys of `names`: `renamed(mail, { mail_send: 'send_mail' })`. Names in the source's instructions aren't
 * changed.
 *
 * An unknown key, or a name that is taken, is a compile error if the names are literal. Otherwise, `tools()` throws `invalid_definition`.
 * For an illegal name, `renamed` itself throws it.
 */
export function renamed<Source extends ToolSource, const Names extends { readonly [Name in SourceName<Source>]?: string }>(
  source: Source,
  names: Names & LegalNames<SourceName<Source>, Names>,
): DerivedSource<ListingOf<Source, RenamedTool<SourceTool<Source>, Names>>> {
  if (typeof names !== 'object' || names === null)
    throw new ToolError(
      'invalid_definition',
      `renamed: names must be an object, got ${shown(names)}. Write renamed(source, { old_name: 'new_name' }).`,
    )
  const newNames = new Map<string, string>(Object.entries(names as Record<string, string>))
  for (const name of newNames.values()) assertToolName(name, 'renamed')
  const derive = oncePerTool((tool) => {
    const name = newNames.get(tool.name)
    return name === undefined ? tool : deriveTool(tool, { name })
  })
  const newName = (name: string) => newNames.get(name) ?? name
  const check = (known: readonly Named[]) => {
    assertKnownNames('renamed', newNames.keys(), known)
    const clash = findClash([...new Set(known)].map(({ name: before }) => ({ tool: { name: newName(before) }, before })))
    if (clash !== undefined) throw nameClash(clash.first.before, clash.second.before, clash.second.tool.name)
  }
  return deriveSource('renamed', source, { check, tools: (tools) => tools.map(derive), name: newName }) as never
}

function nameClash(first: string, second: string, name: string): ToolError {
  return new ToolError(
    'invalid_definition',
    `renamed: "${first}" and "${second}" would both be named "${name}" (case is ignored). Choose another name for one of them.`,
  )
}
