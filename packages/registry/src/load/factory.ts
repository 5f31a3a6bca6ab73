/** Defines factories. A factory creates a tool when the tool is resolved, from options that a schema validates. */
import {
  type Accepted,
  assertSound,
  assertToolName,
  coerceValue,
  isTool,
  type ParsedArgs,
  parserOf,
  readSchema,
  type SchemaInput,
  type SchemaOutput,
  type Tool,
  validate,
} from '@x/tool-core'
import { describeThrown, kindOf, LoadError, RegistryError } from '../errors.ts'
import { assertCard, type ToolCard } from '../search/card.ts'

export interface ToolFactoryOptions<Name extends string, Options, T extends Tool<NoInfer<Name>>> {
  name: Name
  /** Schema of the options. Fills in their defaults. */
  options: Accepted<Options>
  /** Creates the tool, which must have the factory's name. */
  create: (options: SchemaOutput<Options>) => T
  /** Metadata for searches before the tool is created. Default: only the name. */
  card?: Omit<ToolCard, 'name'> | undefined
}

const FACTORY: unique symbol = Symbol.for('@x/registry/factory') as never

export interface ToolFactory<Name extends string = string, Options extends object = object, T extends Tool = Tool<Name>> {
  readonly [FACTORY]: true
  readonly name: Name
  /** JSON Schema of the options. */
  readonly options: object
  readonly card?: ToolCard | undefined
  create(options: Options): T
}

/**
 * Defines a factory, which creates a separate tool for each agent. Use it as an entry of a registry or as the export of a lazy module.
 * Configure it with `tool(factory, options)` or `registry.tool(name, options)`. Throws `RegistryError('invalid_entry')`.
 */
export function defineToolFactory<const Name extends string, Options, T extends Tool<NoInfer<Name>>>(
  given: ToolFactoryOptions<Name, Options, T>,
): ToolFactory<Name, SchemaInput<Options>, T> {
  if (typeof given !== 'object' || given === null) throw new RegistryError('invalid_entry', noDefinition(given))
  const { name, create, card } = given
  assertToolName(name, 'defineToolFactory')
  const owner = `defineToolFactory("${name}")`
  const { schema: options, fault } = readSchema(given.options)
  if (fault !== undefined) throw new RegistryError('invalid_entry', `${owner}: options ${fault}`)
  if (options.type !== 'object')
    throw new RegistryError('invalid_entry', `${owner}: options must be an object schema. Write Type.Object({ … }).`)
  if (parserOf(options) === undefined) assertSound(options, owner, 'options')
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

/** Options, or a function that returns them when the tool is resolved. The function may read an environment variable, for example. */
export type OptionsSource<Options extends object = object> = Options | (() => Options)

/** Creates a tool from a copy of the options. Throws `LoadError` for invalid options, or if the factory doesn't return a tool. */
export async function createConfigured(factory: ToolFactory, given: OptionsSource | undefined): Promise<Tool> {
  const options = await checked(factory, typeof given === 'function' ? given() : (given ?? {}))
  const tool: unknown = factory.create(options)
  const fix = `Return a tool with the factory's name from create: defineTool({ name: '${factory.name}', ... })`
  if (!isTool(tool)) throw new LoadError('invalid_module', `Its factory returned ${kindOf(tool)}, not a tool.`, { fix })
  if (tool.name !== factory.name)
    throw new LoadError('wrong_name', `Its factory returned a tool with a different name, "${describeThrown(tool.name)}".`, {
      fix,
    })
  return tool
}

/** Validates options. Returns a copy with the defaults filled in, so that no two tools share an object. Refuses undeclared options. */
async function checked({ options }: ToolFactory, given: unknown): Promise<object> {
  const { value, issues } = coerceValue(options, given, { strict: true })
  const parsed = issues.length > 0 ? { issues } : await parsedBy(options, value as object)
  if (parsed.issues === undefined) return parsed.args
  const problems = parsed.issues
  const words = problems.map(({ path, message }) => `${path || 'options'} ${message}`).join(', ')
  throw new LoadError('invalid_options', `Its options do not match the factory's schema: ${words}.`)
}

/** Validates options with their schema's own library, which may transform them, or with the JSON Schema. */
async function parsedBy(schema: object, options: object): Promise<ParsedArgs> {
  const parse = parserOf(schema)
  if (parse !== undefined) return parse(options)
  const issues = await validate(schema, options)
  return issues.length > 0 ? { issues } : { args: options }
}
