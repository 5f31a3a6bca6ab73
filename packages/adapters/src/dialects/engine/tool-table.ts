/** The tools of a request as a reader asks for them: by name, and for what their arguments are. */
import type { ToolSpec } from '@x/tool-core'

export interface ToolTable {
  /** False where the request has other tools, or none at all. */
  has(name: string): boolean
  /** True for a name that no tool of the request has, with a character in it that only broken syntax leaves there. */
  isBroken(name: string): boolean
  /** The schema of a tool's arguments; undefined for a tool that nobody described. */
  argsOf(name: string): Readonly<Record<string, unknown>> | undefined
  readonly names: readonly string[]
  /** Where the text ends behind a name without arguments: true if more of the name, or arguments, may have been to come. */
  mayGoOn(name: string): boolean
  /** True where nobody said which tools there are: then every name is one. */
  readonly isOpen: boolean
}

/** Throws `TypeError` for tools that are no specs. */
export function toToolTable(tools: readonly ToolSpec[] | undefined): ToolTable {
  if (tools?.some((tool) => tool.function?.name === undefined))
    throw new TypeError('The tools of a parser are specs: give tools.map(toSpec), with toSpec of @x/tool-core.')
  const table = new Map(tools?.map(({ function: { name, parameters } }) => [name, parameters ?? {}]))
  const has = (name: string) => tools === undefined || table.has(name)
  return {
    has,
    isBroken: (name) => !has(name) && OF_SYNTAX.test(name),
    argsOf: (name) => table.get(name),
    names: [...table.keys()],
    mayGoOn(name) {
      const args = table.get(name)
      const hasLonger = [...table.keys()].some((other) => other !== name && other.startsWith(name))
      return args === undefined || hasLonger || Object.keys(Object(args.properties)).length > 0
    },
    isOpen: tools === undefined,
  }
}

const OF_SYNTAX = /[>[\]{}|="'`\\\r\n]/
