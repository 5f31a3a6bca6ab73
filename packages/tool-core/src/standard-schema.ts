/** Tools whose args are a schema of another library: any Standard Schema that can be converted to JSON Schema. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { TObject, TProperties } from 'typebox'
import type { ToolContext } from './call/context.ts'
import type { Execution } from './call/progress.ts'
import { assertOptions, createTool, type ParsedArgs, type Tool, type ToolParts } from './define/tool.ts'
import type { ToolTraits } from './define/traits.ts'
import { ToolError } from './errors.ts'
import { toForeignIssues } from './schema/foreign-issues.ts'
import type { ValueOf } from './schema/schema.ts'
import { isDataKeyword, isMapKeyword } from './schema/validators/subschemas.ts'

/** A Standard Schema for objects that also implements Standard JSON Schema: zod 4.2, arktype 2.1.28, valibot with `toStandardJsonSchema`. */
export type ArgsSchema = StandardSchemaV1<object, object> & StandardJSONSchemaV1<object, object>

export interface StandardToolOptions<Name extends string, Schema extends ArgsSchema, Output, Values extends TProperties>
  extends ToolTraits {
  name: Name
  description: string
  args: Schema
  context?: TObject<Values> | undefined
  execute: (args: StandardSchemaV1.InferOutput<Schema>, context: ToolContext<ValueOf<Values>>) => Execution<Output>
  toModelOutput?: ((output: NoInfer<Output>) => unknown) | undefined
}

/**
 * Defines a tool like `defineTool` of `@x/tool-core`. The model receives the schema's input as JSON Schema. The schema's own validator
 * checks and transforms a call's arguments, and fills in defaults. Also throws `invalid_definition` for a schema that can't be
 * converted to JSON Schema.
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
  const jsonSchema = toJsonSchema(args, owner)
  const parse = async (value: object): Promise<ParsedArgs> => {
    const result = await args['~standard'].validate(value)
    if (result.issues === undefined) return { args: result.value }
    return { issues: await toForeignIssues(result.issues, value, jsonSchema) }
  }
  return createTool(options.name, 'tool', { ...rest, args: jsonSchema, parse } as unknown as ToolParts) as never
}

function toJsonSchema(schema: ArgsSchema, owner: string): TObject {
  const convert = schema?.['~standard']?.jsonSchema?.input
  if (convert === undefined) {
    throw new ToolError(
      'invalid_definition',
      `${owner}: args must be a Standard Schema that supports JSON Schema. Use zod 4.2 or newer, arktype 2.1.28 or newer, or wrap a valibot schema with toStandardJsonSchema from @valibot/to-json-schema.`,
    )
  }
  try {
    const { $schema: _, ...parameters } = withoutDefaults(convert({ target: 'draft-07' })) as Record<string, unknown>
    // Code that accepts a Standard Schema gets the validator that checks the calls.
    return Object.defineProperty(parameters, '~standard', { value: schema['~standard'] }) as unknown as TObject
  } catch (cause) {
    throw new ToolError(
      'invalid_definition',
      `${owner}: args can't be converted to JSON Schema: ${String(cause)}. Use types that JSON Schema has.`,
      { cause },
    )
  }
}

/** Removes defaults, because the library fills in its own. A default may change with each call, or fail the library's own validation. */
function withoutDefaults(node: unknown, isSchema = true): unknown {
  if (Array.isArray(node)) return node.map((item) => withoutDefaults(item))
  if (typeof node !== 'object' || node === null) return node
  const members = Object.entries(node).filter(([key]) => !(isSchema && key === 'default'))
  return Object.fromEntries(
    members.map(([key, value]) => [
      key,
      isSchema && isDataKeyword(key) ? value : withoutDefaults(value, !(isSchema && isMapKeyword(key))),
    ]),
  )
}
