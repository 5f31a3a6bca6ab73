/** Factories: tools that are created when they are resolved, from options that a schema validates. */
import { assertToolName, coerceValue, foreignVendorOf, isTool, type Tool, type ValueOf, validate } from '@x/tool-core'
import type { TObject, TProperties } from 'typebox'
import { describeThrown, kindOf, LoadError, RegistryError } from '../errors.ts'
import { assertCard, type ToolCard } from '../search/card.ts'

export interface ToolFactoryOptions<Name extends string, Properties extends TProperties> {
  name: Name
  /** Schema of the options. Its defaults are filled in. */
  options: TObject<Properties>
  /** Creates the tool, which must have the factory's name. */
  create: (options: ValueOf<Properties>) => Tool<NoInfer<Name>>
  /** What a search knows about the tool before it is created. Default: its name only. */
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
 * Defines a factory. Use it as an entry of a registry or as the export of a lazy module, and configure it with
 * `tool(factory, options)` or `registry.tool(name, options)`. Each agent gets its own tool. Throws `RegistryError('invalid_entry')`.
 */
export function defineToolFactory<const Name extends string, Properties extends TProperties>(
  given: ToolFactoryOptions<Name, Properties>,
): ToolFactory<Name, ValueOf<Properties>> {
  if (typeof given !== 'object' || given === null) throw new RegistryError('invalid_entry', noDefinition(given))
  const { name, options, create, card } = given
  assertToolName(name, 'defineToolFactory')
  const owner = `defineToolFactory("${name}")`
  const vendor = foreignVendorOf(options)
  if (vendor !== undefined)
    throw new RegistryError(
      'invalid_entry',
      `${owner}: options is a schema of ${vendor}. Write it with typebox, Type.Object({ … }).`,
    )
  if (options?.type !== 'object')
    throw new RegistryError('invalid_entry', `${owner}: options must be an object schema. Write Type.Object({ … }).`)
  if (typeof create !== 'function')
    throw new RegistryError('invalid_entry', `${owner}: create must be a function, got ${kindOf(create)}.`)
  const known = card && { name, ...card }
  if (known !== undefined) assertCard(known)
  return Object.freeze({ [FACTORY]: true as const, name, options, create, card: known }) as never
}

function noDefinition(given: unknown): string {
  return `defineToolFactory: the definition must be an object, got ${kindOf(given)}. Write defineToolFactory({ name, options, create }).`
}

export function isToolFactory(value: unknown): value is ToolFactory {
  return typeof value === 'object' && value !== null && (value as Partial<ToolFactory>)[FACTORY] === true
}

/** Options, or a function that returns them when the tool is resolved, for example from an environment variable. */
export type OptionsSource<Options extends object = object> = Options | (() => Options)

/** Creates a new tool from a copy of the options. Throws `LoadError` for invalid options, or if the factory returns no tool. */
export async function createConfigured(factory: ToolFactory, given: OptionsSource | undefined): Promise<Tool> {
  const options = await checked(factory, typeof given === 'function' ? given() : (given ?? {}))
  const tool: unknown = factory.create(options)
  const fix = `Return a tool with the factory's name from create: defineTool({ name: '${factory.name}', ... })`
  if (!isTool(tool)) throw new LoadError('invalid_module', `Its factory did not return a tool, but ${kindOf(tool)}.`, { fix })
  if (tool.name !== factory.name)
    throw new LoadError('wrong_name', `Its factory returned a tool named "${describeThrown(tool.name)}".`, { fix })
  return tool
}

/** Returns a copy with defaults filled in, so that tools don't share it. Undeclared options are refused. */
async function checked(factory: ToolFactory, given: unknown): Promise<object> {
  const { value, issues } = coerceValue(factory.options, given, { strict: true })
  const problems = issues.length > 0 ? issues : await validate(factory.options, value)
  if (problems.length === 0) return value as object
  const words = problems.map(({ path, message }) => `${path || 'options'} ${message}`).join(', ')
  throw new LoadError('invalid_options', `Its options do not match the factory's schema: ${words}.`)
}
