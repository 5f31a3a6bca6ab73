/** A tool's args as a Standard Schema and a Standard JSON Schema (standardschema.dev), for whatever takes one. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import type { TObject } from 'typebox'
import { prepareArgs } from '../args/prepare.ts'
import { toParameters } from '../define/parameters.ts'
import { isToolError, ToolError } from '../errors.ts'
import { segmentsOf } from './pointer.ts'
import { VENDOR } from './schema.ts'
import { checkOf } from './validate.ts'

/** The JSON Schema of a tool's args, which is a Standard Schema as well. `validate` coerces and fills in defaults as a call does. */
export interface ToolArgs<Args extends object = object> extends TObject {
  readonly '~standard': StandardSchemaV1.Props<Args, Args> & StandardJSONSchemaV1.Props<Args, Args>
}

const known = new WeakMap<object, ToolArgs>()

/**
 * A copy of the schema with `~standard`, hidden from `JSON.stringify` and `Object.keys`; one per schema object. The schema
 * itself is not changed. One that has `~standard` is given back.
 */
export function withStandard(schema: TObject): ToolArgs {
  if ('~standard' in schema) return schema as ToolArgs
  const made = known.get(schema)
  if (made !== undefined) return made
  const args = { __proto__: Object.getPrototypeOf(schema), ...schema } as unknown as ToolArgs
  Object.defineProperty(args, '~standard', STANDARD)
  // TypeBox hides the kind of a schema. By name: descriptors of all properties take three times as long.
  for (const name of Object.getOwnPropertyNames(schema)) {
    if (!Object.hasOwn(args, name)) Object.defineProperty(args, name, Object.getOwnPropertyDescriptor(schema, name) as object)
  }
  known.set(schema, args)
  return args
}

const standards = new WeakMap<ToolArgs, ToolArgs['~standard']>()

/** One getter for all: objects with a getter of their own each share no shape, and are slow. */
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
    const prepared = prepareArgs(args, value as object)
    const issues = prepared.issues.length > 0 ? prepared.issues : (await checkOf(args))(prepared.args)
    return issues.length > 0
      ? { issues: issues.map(({ path, message }) => ({ message, path: segmentsOf(path) })) }
      : { value: prepared.args }
  } catch (error) {
    // What is no object, too deep or too large; a mistake in the schema is the programmer's.
    if (isToolError(error) && error.code === 'invalid_arguments') return { issues: [{ message: error.message }] }
    throw error
  }
}

/** TypeBox writes what both drafts read alike, but for tuples. */
function toTarget(schema: object, target: StandardJSONSchemaV1.Target): Record<string, unknown> {
  if (target === 'draft-07' || (target === 'draft-2020-12' && !hasTuple(schema))) return { ...schema }
  throw new ToolError('invalid_definition', `The args cannot be given as "${target}"; ask for "draft-07".`)
}

function hasTuple(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  return Array.isArray((node as { items?: unknown }).items) || Object.values(node).some(hasTuple)
}
