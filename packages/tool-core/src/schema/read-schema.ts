/** Reads any kind of schema as JSON Schema. A schema from another library keeps its own validator. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { TObject } from 'typebox'
import { describeValue } from '../describe-value.ts'
import { ToolError } from '../errors.ts'
import { assertSound } from './assert-sound.ts'
import { NO_ISSUES } from './issue.ts'
import { type ArgsParser, PARSER, type ParsedArgs, parserOf } from './parser.ts'
import {
  foreignVendorOf,
  hasDefault,
  isOfType,
  isSchemaNode,
  propertiesOf,
  requiredOf,
  type SchemaNode,
  VENDOR,
} from './schema.ts'
import { validate } from './validate.ts'
import { isEqual } from './validators/equal.ts'
import { isDataKeyword, isMapKeyword } from './validators/subschemas.ts'

/** A JSON Schema, or the reason why the given value isn't one, e.g. `is a schema from …`. */
export type ReadSchema =
  | { readonly schema: SchemaNode; readonly fault?: undefined }
  | { readonly schema?: undefined; readonly fault: string; readonly cause?: unknown }

type Standard = StandardSchemaV1.Props & StandardJSONSchemaV1.Props

/** Property of a converted schema that describes how to fill in its defaults. */
const DEFAULTED: unique symbol = Symbol.for('@x/tool-core/defaulted') as never

interface Converted {
  readonly '~standard': Standard
  readonly [PARSER]: ArgsParser
  readonly [DEFAULTED]: Defaulted
}

interface Defaulted {
  /** The properties with a default, even if the JSON Schema lacks the default. */
  readonly names: readonly string[]
  readonly validate: (value: unknown) => Outcome | Promise<Outcome>
}

type Outcome = StandardSchemaV1.Result<unknown>

/** A schema that can be converted through `~standard` or through arktype's own method. `safeParseAsync` is zod's. */
interface Convertible {
  readonly '~standard': Standard
  toJsonSchema?(options: { fallback: (context: { readonly base: unknown }) => unknown }): unknown
  safeParseAsync?(value: unknown): Promise<ZodResult>
}

interface ZodResult {
  readonly success: boolean
  readonly data?: unknown
  readonly error?: { readonly issues: StandardSchemaV1.FailureResult['issues'] } | undefined
}

const conversions = new WeakMap<object, SchemaNode>()

/**
 * Returns a TypeBox schema or a JSON Schema unchanged. For another library's schema, returns the JSON Schema of its input, which is
 * converted only once.
 */
export function readSchema(given: unknown): ReadSchema {
  const vendor = foreignVendorOf(given)
  if (vendor === undefined) return isSchemaNode(given) ? { schema: given } : { fault: NO_SCHEMA }
  const known = conversions.get(given as object)
  if (known !== undefined) return { schema: known }
  if (!isConvertible(given)) return { fault: `is a schema from ${vendor}${FIXES.get(vendor) ?? `. ${WRITE}`}` }
  try {
    const schema = convert(given)
    conversions.set(given, schema)
    return { schema }
  } catch (cause) {
    return { fault: `can't be converted to JSON Schema: ${String(cause)}. Use types that JSON Schema can express.`, cause }
  }
}

const WRITE = 'Write it with TypeBox, zod, arktype or valibot, or pass jsonSchema({ … }).'
const NO_SCHEMA = `must be a schema. ${WRITE}`

/** The fix for a schema that can't be converted to JSON Schema, by library. */
const FIXES: ReadonlyMap<string, string> = new Map<string, string>([
  ['zod', " that can't be converted to JSON Schema. Use zod 4.2 or newer."],
  ['arktype', " that can't be converted to JSON Schema. Use arktype 2.1.28 or newer."],
  ['valibot', " that can't be converted to JSON Schema. Write toStandardJsonSchema(schema), from @valibot/to-json-schema."],
  ['the class Promise', '. Await the promise first.'],
])

/** Returns an object schema as JSON Schema. Throws `invalid_definition` for any other value, and suggests what to write instead. */
export function toObjectSchema(given: unknown, owner: string, field: string): TObject {
  const { schema, fault, ...more } = readSchema(given)
  if (fault !== undefined && fault !== NO_SCHEMA) throw new ToolError('invalid_definition', `${owner}: ${field} ${fault}`, more)
  if (schema?.type !== 'object')
    throw new ToolError(
      'invalid_definition',
      `${owner}: ${field} must be an object schema, got ${describeValue(withoutDraftOf(schema) ?? given)}. ${objectFix(schema)}`,
    )
  // Its own library validates a foreign schema, so the JSON form isn't checked.
  if (parserOf(schema) === undefined) assertSound(schema, owner, field)
  return schema as unknown as TObject
}

function objectFix(schema: SchemaNode | undefined): string {
  let members = 0
  let schemas = 0
  for (const name in schema) {
    members++
    if (foreignVendorOf(schema[name]) !== undefined || isTypeBox(schema[name])) schemas++
  }
  if (members > 0 && members === schemas) return 'Wrap the properties in z.object({ … }) or Type.Object({ … }).'
  if (schema?.anyOf !== undefined || schema?.oneOf !== undefined)
    return "APIs don't accept a union at the root. Put the union into a property."
  if (isSchemaNode(schema?.properties) && schema.type === undefined) return "Add type: 'object'."
  return "Write e.g. Type.Object({ … }), z.object({ … }) or jsonSchema({ type: 'object', … })."
}

function isTypeBox(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && '~kind' in schema
}

function withoutDraftOf(schema: SchemaNode | undefined): object | undefined {
  return schema && { ...schema, $schema: undefined }
}

/** True if a property with this converted schema may be missing. False if the schema's validator is asynchronous. */
export function takesUndefined(schema: object): boolean {
  try {
    const result = (schema as Converted)['~standard'].validate(undefined)
    if (!(result instanceof Promise)) return result.issues === undefined
    result.catch(() => {})
    return false
  } catch {
    return false
  }
}

/** Returns the properties of a converted schema that have a default, and its library's validator. */
export function defaultedBy(schema: object): Defaulted {
  return (schema as Converted)[DEFAULTED]
}

/** Returns the names of the properties that a converted schema's library filled in. Empty for any other schema. */
export function filledIn(schema: object, input: object, output: object): readonly string[] {
  const names = (schema as Partial<Converted>)[DEFAULTED]?.names ?? []
  return names.filter((name) => !Object.hasOwn(input, name) && Object.hasOwn(output, name))
}

function isConvertible(given: unknown): given is Convertible {
  const { '~standard': standard } = given as { readonly '~standard'?: Partial<Standard> }
  return typeof standard?.validate === 'function' && typeof standard.jsonSchema?.input === 'function'
}

function convert(given: Convertible): SchemaNode {
  const standard = given['~standard']
  const { jsonSchema } = standard
  // Converted twice, because a default may be a function with a different result each time.
  const input = toInput(given) as SchemaNode
  const schema = withFixedDefaults(input, toInput(given)) as SchemaNode
  const jsonForm = { $schema: DRAFT_2020, ...schema }
  const parse = async (value: unknown): Promise<ParsedArgs> => {
    try {
      const result = await validateOnce(given, value)
      if (result.issues === undefined) return { args: result.value as object }
      // The JSON Schema may not compile, because the library alone is responsible for its patterns.
      const own = await validate(jsonForm, value).catch(() => NO_ISSUES)
      const { toForeignIssues } = await import('./validators/compile.ts')
      return { issues: toForeignIssues(result.issues, value, jsonForm, own) }
    } catch (thrown) {
      const { withoutValues } = await import('./validators/compile.ts')
      throw withoutValues(thrown, value)
    }
  }
  return withValidator(
    { ...jsonForm },
    {
      '~standard': { version: 1, vendor: VENDOR, validate: (value) => standard.validate(value), jsonSchema },
      [PARSER]: parse,
      [DEFAULTED]: { names: defaultedIn(input, standard), validate: (value) => validateOnce(given, value) },
    },
  )
}

/**
 * Validates with zod's asynchronous method. The standard method first tries an asynchronous schema synchronously, so refinements run twice,
 * and a rejection during the first attempt remains unhandled and ends the process.
 */
function validateOnce(given: Convertible, value: unknown): Outcome | Promise<Outcome> {
  const { '~standard': standard } = given
  if (standard.vendor !== 'zod' || typeof given.safeParseAsync !== 'function') return standard.validate(value)
  return toOutcome(given.safeParseAsync(value))
}

async function toOutcome(parsing: Promise<ZodResult>): Promise<Outcome> {
  const { success, data, error } = await parsing
  return success ? { value: data } : { issues: error?.issues ?? [] }
}

/** Adds the validator in hidden properties, which code that reads or writes the schema doesn't see. */
function withValidator(schema: SchemaNode, hidden: Converted): SchemaNode {
  for (const key of HIDDEN) Object.defineProperty(schema, key, { value: hidden[key] })
  return schema
}

const HIDDEN = ['~standard', PARSER, DEFAULTED] as const

/** Returns a copy of a converted schema without `$schema`, to use as a part of a larger schema. */
export function withoutDraft(converted: object): object {
  const { $schema: _, ...part } = converted as SchemaNode
  return withValidator(part, converted as Converted)
}

const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema'

/**
 * Returns the properties that may be missing in the input but not in the output. If a transformation has an output without a JSON Schema,
 * returns all optional properties, because each of them may have a default.
 */
function defaultedIn(input: SchemaNode, { jsonSchema }: Standard): readonly string[] {
  const required = new Set(requiredOf(input))
  const optional = Object.entries(propertiesOf(input)).filter(([name]) => !required.has(name))
  let output: SchemaNode | undefined
  try {
    output = inTarget(jsonSchema.output) as SchemaNode
  } catch {
    // A transformation has no JSON Schema.
  }
  const isPresent = (name: string) => output === undefined || (Array.isArray(output.required) && output.required.includes(name))
  return optional.filter(([name, property]) => hasDefault(property) || isPresent(name)).map(([name]) => name)
}

function toInput(given: Convertible): unknown {
  const { vendor, jsonSchema } = given['~standard']
  const input = inTarget(jsonSchema.input)
  // The JSON Schema from arktype's `~standard` lacks the defaults.
  return vendor === 'arktype' ? (given.toJsonSchema?.({ fallback: ({ base }) => base }) ?? input) : input
}

function inTarget(convertTo: Standard['jsonSchema']['input']): unknown {
  try {
    return convertTo({ target: 'draft-2020-12' })
  } catch {
    return convertTo({ target: 'draft-07' })
  }
}

/**
 * Removes defaults that differ between two conversions, and defaults that aren't valid input, such as the default of a transformed value.
 * Also removes the safe-integer limits that zod writes for every integer, because zod checks them itself.
 */
function withFixedDefaults(node: unknown, again: unknown, isSchema = true): unknown {
  if (Array.isArray(node)) return node.map((item, index) => withFixedDefaults(item, (again as unknown[] | undefined)?.[index]))
  if (!isSchemaNode(node)) return node
  const other = (isSchemaNode(again) ? again : {}) as SchemaNode
  const members: [string, unknown][] = []
  for (const [key, value] of Object.entries(node)) {
    if (isSchema && LIMITS.has(key) && Math.abs(value as number) === Number.MAX_SAFE_INTEGER) continue
    if (isSchema && key === 'default' && !(isEqual(value, other.default) && isOfType(value, node))) continue
    const isData = isSchema && isDataKeyword(key)
    members.push([key, isData ? value : withFixedDefaults(value, other[key], !(isSchema && isMapKeyword(key)))])
  }
  return Object.fromEntries(members)
}

const LIMITS: ReadonlySet<string> = new Set(['minimum', 'maximum'])
