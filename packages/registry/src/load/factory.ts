/** A tool that is made when it is resolved, from options that its own schema checks. */
import { assertToolName, coerceValue, foreignVendorOf, isTool, type Tool, type ValueOf, validate } from '@x/tool-core'
import type { TObject, TProperties } from 'typebox'
import { describeThrown, LoadError, RegistryError } from '../errors.ts'
import { assertCard, type ToolCard } from '../search/card.ts'

export interface ToolFactoryOptions<Name extends string, Properties extends TProperties> {
  name: Name
  /** What may be configured; a default of the schema is filled in. */
  options: TObject<Properties>
  /** Makes the tool. Its name must be that of the factory. */
  create: (options: ValueOf<Properties>) => Tool<NoInfer<Name>>
  /** What a search knows of the tool before it is made; its name alone unless told. */
  card?: Omit<ToolCard, 'name'> | undefined
}

const FACTORY: unique symbol = Symbol.for('@x/registry/factory') as never

export interface ToolFactory<Name extends string = string, Options extends object = object> {
  readonly [FACTORY]: true
  readonly name: Name
  readonly options: TObject
  readonly card?: ToolCard | undefined
  create(options: Options): Tool<Name>
}

/**
 * Defines a factory. It is an entry of a registry like a tool, and what a lazy module may export; `tool(factory, options)` and
 * `registry.tool(name, options)` configure it. Every agent is given a tool of its own. Throws `RegistryError('invalid_entry')`.
 */
export function defineToolFactory<const Name extends string, Properties extends TProperties>(
  given: ToolFactoryOptions<Name, Properties>,
): ToolFactory<Name, ValueOf<Properties>> {
  if (typeof given !== 'object' || given === null) throw new RegistryError('invalid_entry', NO_OPTIONS)
  const { name, options, create, card } = given
  assertToolName(name, 'defineToolFactory')
  const owner = `defineToolFactory("${name}")`
  const vendor = foreignVendorOf(options)
  if (vendor !== undefined)
    throw new RegistryError(
      'invalid_entry',
      `${owner}: options is a schema of ${vendor}. Write it with typebox, Type.Object({ … }).`,
    )
  if (options?.type !== 'object') throw new RegistryError('invalid_entry', `${owner}: options must be an object schema.`)
  if (typeof create !== 'function') throw new RegistryError('invalid_entry', `${owner}: create is not a function.`)
  const known = card && { name, ...card }
  if (known !== undefined) assertCard(known)
  return Object.freeze({ [FACTORY]: true as const, name, options, create, card: known }) as never
}

const NO_OPTIONS = 'defineToolFactory: the definition is no object. Write defineToolFactory({ name, options, create }).'

export function isToolFactory(value: unknown): value is ToolFactory {
  return typeof value === 'object' && value !== null && (value as Partial<ToolFactory>)[FACTORY] === true
}

/** Options, or how to get them when the tool is resolved: an environment variable that is set by then is seen. */
export type OptionsSource<Options extends object = object> = Options | (() => Options)

/** A new tool from a copy of the options. Throws `LoadError` for options that do not fit, or a factory that gives no tool. */
export async function createConfigured(factory: ToolFactory, given: OptionsSource | undefined): Promise<Tool> {
  const options = await checked(factory, typeof given === 'function' ? given() : (given ?? {}))
  const tool: unknown = factory.create(options)
  const fix = `Let create of the factory give a tool with its own name: defineTool({ name: '${factory.name}', ... })`
  if (!isTool(tool)) throw new LoadError('invalid_module', 'Its factory gave no tool.', { fix })
  if (tool.name !== factory.name)
    throw new LoadError('wrong_name', `Its factory gave a tool named "${describeThrown(tool.name)}".`, { fix })
  return tool
}

/** A copy with the defaults filled in, so that no two tools share it; an option that is not declared is a mistake. */
async function checked(factory: ToolFactory, given: unknown): Promise<object> {
  const { value, issues } = coerceValue(factory.options, given, { strict: true })
  const problems = issues.length > 0 ? issues : await validate(factory.options, value)
  if (problems.length === 0) return value as object
  const words = problems.map(({ path, message }) => `${path || 'options'} ${message}`).join(', ')
  throw new LoadError('invalid_options', `Its options do not fit: ${words}.`)
}
