/** Turns a tool's args into a Standard Schema and a Standard JSON Schema (standardschema.dev), for code that accepts either. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { TObject } from 'typebox'
import { type CoercedValue, coerceArgs, coerceValue } from '../args/coerce.ts'
import { toParameters } from '../define/parameters.ts'
import { isToolError, ToolError } from '../errors.ts'
import { segmentsOf } from './pointer.ts'
import { VENDOR } from './schema.ts'
import { checkOf } from './validate.ts'

/** The JSON Schema of a tool's args. It is also a Standard Schema, whose `validate` coerces and fills in defaults, as a call does. */
export interface ToolArgs<Args extends object = object> extends TObject {
  readonly '~standard': StandardSchemaV1.Props<Args, Args> & StandardJSONSchemaV1.Props<Args, Args>
}

const known = new WeakMap<object, ToolArgs>()

/**
 * Returns a copy of the schema with a hidden property `~standard`, which `JSON.stringify` and `Object.keys` skip. Returns the same copy
 * each time for a schema object, and doesn't change the schema itself. A schema that already has `~standard` is returned unchanged.
 */
export function withStandard(schema: TObject): ToolArgs {
  if ('~standard' in schema) return schema as ToolArgs
  const made = known.get(schema)
  if (made !== undefined) return made
  const args = { __proto__: Object.getPrototypeOf(schema), ...schema } as unknown as ToolArgs
  Object.defineProperty(args, '~standard', STANDARD)
  // TypeBox stores a schema's kind in hidden properties. Copying all descriptors would take three times as long.
  for (const name of Object.getOwnPropertyNames(schema)) {
    if (!Object.hasOwn(args, name)) Object.defineProperty(args, name, Object.getOwnPropertyDescriptor(schema, name) as object)
  }
  known.set(schema, args)
  return args
}

const standards = new WeakMap<ToolArgs, ToolArgs['~standard']>()

/** All schemas share one getter. Objects with their own getters would share no hidden class, which would make them slow. */
const STANDARD = {
  get(this: ToolArgs): ToolArgs['~standard'] {
    const standard = standards.get(this) ?? standardOf(this)
    standards.set(this, standard)
    return standard
  },
}

function standardOf(args: ToolArgs): ToolArgs['~standard'] {
  return {
    version: 1,
    vendor: VENDOR,
    validate: (value) => validate(args, value),
    jsonSchema: {
      input: ({ target }) => toTarget(toParameters(args), target),
      output: ({ target }) => toTarget(args, target),
    },
  }
}

async function validate(args: ToolArgs, value: unknown): Promise<StandardSchemaV1.Result<object>> {
  try {
    const { issues: found, value: copy } = coerce(args, value)
    const issues = found.length > 0 ? found : (await checkOf(args))(copy)
    return issues.length > 0
      ? { issues: issues.map(({ path, message }) => ({ message, path: segmentsOf(path) })) }
      : { value: copy as object }
  } catch (error) {
    // The value isn't an object, or is too deep or too large. Any other error means that the schema is invalid, and is rethrown.
    if (isToolError(error) && error.code === 'invalid_arguments') return { issues: [{ message: error.message }] }
    throw error
  }
}

function coerce(schema: ToolArgs, value: unknown): Pick<CoercedValue, 'value' | 'issues'> {
  if (schema.type !== 'object') return coerceValue(schema, value)
  const { args, issues } = coerceArgs(schema, value as object)
  return { value: args, issues }
}

/** Returns a copy of the schema for a draft. Except for tuples, TypeBox's schemas mean the same in both drafts. */
function toTarget(schema: object, target: StandardJSONSchemaV1.Target): Record<string, unknown> {
  if (target === 'draft-07' || (target === 'draft-2020-12' && !hasTuple(schema))) return { ...schema }
  throw new ToolError('invalid_definition', `The args can't be converted to JSON Schema "${target}". Request "draft-07".`)
}

function hasTuple(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return Array.isArray((node as { items?: unknown }).items) || Object.values(node).some(hasTuple)
}
