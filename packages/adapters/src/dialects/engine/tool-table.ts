/** Finds the tools of a request by name, with the schemas of their arguments. */
import type { ToolSpec } from '@x/tool-core'
import { allowsOthers, propertiesOf } from './declared-types.ts'

export interface ToolTable {
  /** Returns true if the request has a tool with this name, or if the tools are unknown. */
  has(name: string): boolean
  /** Returns true if no tool has this name and it contains characters of call syntax, such as `{` or `(`. */
  isBroken(name: string): boolean
  /** Returns the schema of a tool's arguments. Returns undefined for an undeclared tool. */
  argsOf(name: string): Readonly<Record<string, unknown>> | undefined
  /**
   * Returns true if any tool declares a parameter with this name. If `part` is `end`, a parameter whose name ends with `key` also
   * counts.
   */
  hasParameter(key: string, part?: 'end'): boolean
  /** Returns true if the keys of a call include every parameter that the tool declares. */
  hasAll(name: string, keys: readonly string[]): boolean
  /** Returns true if a call has a key that the tool neither declares nor explicitly allows. */
  hasOthers(name: string, keys: readonly string[]): boolean
  readonly names: readonly string[]
  /** Returns true for a name at the end of the text if the name may be incomplete or arguments may be missing. */
  mayContinue(name: string): boolean
  /** True if the tools are unknown, so that every name counts as a tool. */
  readonly isOpen: boolean
}

/** Creates the table. Throws a TypeError if a tool isn't a spec. */
export function toToolTable(tools: readonly ToolSpec[] | undefined): ToolTable {
  if (tools?.some((tool) => tool.function?.name === undefined))
    throw new TypeError('The tools of a parser must be tool specs. Pass tools.map(toSpec), with toSpec from @x/tool-core.')
  const table = new Map(tools?.map(({ function: { name, parameters } }) => [name, parameters ?? {}]))
  let parameters: ReadonlySet<string> | undefined
  const has = (name: string) => tools === undefined || table.has(name)
  return {
    has,
    isBroken: (name) => !has(name) && OF_SYNTAX.test(name),
    argsOf: (name) => table.get(name),
    hasParameter(key, part) {
      parameters ??= new Set([...table.values()].flatMap((schema) => propertiesOf(schema, schema)))
      return parameters.has(key) || (part === 'end' && [...parameters].some((name) => name.endsWith(key)))
    },
    hasAll(name, keys) {
      const schema = table.get(name)
      return propertiesOf(schema, schema).every((key) => keys.includes(key))
    },
    hasOthers(name, keys) {
      const schema = table.get(name)
      // In most calls, the schema itself declares all keys.
      const others = keys.filter((key) => !Object.hasOwn(Object(schema?.properties), key))
      if (others.length === 0) return false
      const declared = new Set(propertiesOf(schema, schema))
      return declared.size > 0 && !allowsOthers(schema) && others.some((key) => !declared.has(key))
    },
    names: [...table.keys()],
    mayContinue(name) {
      const args = table.get(name)
      const hasLonger = [...table.keys()].some((other) => other !== name && other.startsWith(name))
      return args === undefined || hasLonger || Object.keys(Object(args.properties)).length > 0
    },
    isOpen: tools === undefined,
  }
}

const OF_SYNTAX = /[>[\](){}|="'`\\\r\n]/
