/** Tools whose args are a schema of another library: any Standard Schema that can say itself as JSON Schema. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { TObject, TProperties } from 'typebox'
import type { ToolContext } from './call/context.ts'
import type { Execution } from './call/progress.ts'
import { assertOptions, createTool, type ParsedArgs, type Tool, type ToolParts } from './define/tool.ts'
import type { ToolTraits } from './define/traits.ts'
import { ToolError } from './errors.ts'
import { type Issue, MAX_ISSUES } from './schema/issue.ts'
import { pointerSegment } from './schema/pointer.ts'
import type { ValueOf } from './schema/schema.ts'

/** A Standard Schema of objects with JSON Schema output: zod from 4.2, arktype from 2.1.28, valibot by `toStandardJsonSchema`. */
export type ArgsSchema = StandardSchemaV1<object, object> & StandardJSONSchemaV1<object, object>

export interface StandardToolOptions<Name extends string, Schema extends ArgsSchema, Output, Values extends TProperties>
  extends ToolTraits {
  name: Name
  description: string
  args: Schema
  context?: TObject<Values> | undefined
  execute: (args: StandardSchemaV1.InferOutput<Schema>, context: ToolContext<ValueOf<Values>>) => Execution<Output>
  toModel?: ((output: NoInfer<Output>) => unknown) | undefined
}

/**
 * Defines a tool as `defineTool` of the root does. The model is shown the schema's input as JSON Schema; a call's arguments are
 * checked, changed and filled up with defaults by the schema's own validator. Throws `invalid_definition` also for a schema
 * that has no JSON Schema form.
 */
export function defineTool<
  const Name extends string,
  Schema extends ArgsSchema,
  Output,
  Values extends TProperties = Record<never, never>,
>(options: StandardToolOptions<Name, Schema, Output, Values>): Tool<Name, StandardSchemaV1.InferOutput<Schema> & object, Output> {
  assertOptions(options, 'defineTool')
  const { args, ...rest } = options
  const owner = `defineTool(${JSON.stringify(options.name)})`
  const parse = async (value: object) => toParsed(await args['~standard'].validate(value))
  return createTool(options.name, 'tool', { ...rest, args: toJsonSchema(args, owner), parse } as unknown as ToolParts) as never
}

function toJsonSchema(schema: ArgsSchema, owner: string): TObject {
  const convert = schema?.['~standard']?.jsonSchema?.input
  if (convert === undefined) {
    throw new ToolError(
      'invalid_definition',
      `${owner}: args is no Standard Schema with JSON Schema output. Use zod 4.2, arktype 2.1.28 or newer, or wrap a valibot schema in toStandardJsonSchema of @valibot/to-json-schema.`,
    )
  }
  try {
    const { $schema: _, ...parameters } = withoutDefaults(convert({ target: 'draft-07' })) as Record<string, unknown>
    // Whoever takes a Standard Schema is given the one that checks the calls.
    return Object.defineProperty(parameters, '~standard', { value: schema['~standard'] }) as unknown as TObject
  } catch (cause) {
    throw new ToolError('invalid_definition', `${owner}: args has no JSON Schema form: ${String(cause)}`, { cause })
  }
}

/** The library fills in its own: one may be another value at each call, or none that its own check would take. */
function withoutDefaults(node: unknown, isSchema = true): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutDefaults(item))
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).filter(([key]) => !(isSchema && key === 'default'))
  return Object.fromEntries(
    members.map(([key, value]) => [
      key,
      isSchema && DATA.has(key) ? value : withoutDefaults(value, !(isSchema && NAMED.has(key))),
    ]),
  )
}

/** Keywords whose members are schemas by name, so that one may be named `default`. */
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions'])

/** Keywords that hold values and no schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'examples'])

function toParsed(result: StandardSchemaV1.Result<object>): ParsedArgs {
  return result.issues === undefined ? { args: result.value } : { issues: result.issues.slice(0, MAX_ISSUES).map(toIssue) }
}

function toIssue({ message, path = [] }: StandardSchemaV1.Issue): Issue {
  const keys = path.map((segment) => (typeof segment === 'object' ? segment.key : segment))
  const pointer = keys.map((key) => `/${pointerSegment(String(key))}`).join('')
  return { path: pointer, keyword: 'standard-schema', message }
}
