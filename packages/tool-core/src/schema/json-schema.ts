/** Gives types to JSON Schemas that weren't written with a library. */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { ToolError } from '../errors.ts'
import { foreignVendorOf, isSchemaNode, type VENDOR } from './schema.ts'
import { withStandard } from './standard-args.ts'

/** A JSON Schema with a type for its values. It is also a Standard Schema. */
export interface JsonSchema<Out = unknown, In = Out> {
  readonly '~standard': StandardSchemaV1.Props<In, Out> & StandardJSONSchemaV1.Props<In, Out> & { readonly vendor: typeof VENDOR }
}

/**
 * Returns a copy of a JSON Schema, to use in a definition like any other schema. The type argument is the type of the schema's values:
 * `jsonSchema<{ city: string }>(schema)`. Without a type argument, the type is inferred from a schema that is written inline. Parts that
 * can't be inferred, such as a `$ref`, are `unknown`. Throws `invalid_definition` for a value that isn't a JSON Schema.
 */
export function jsonSchema<T = never, const Schema extends object = object>(
  schema: Schema,
): [T] extends [never] ? JsonSchema<Infer<Schema, 'out'>, Infer<Schema, 'in'>> : JsonSchema<T> {
  const vendor = foreignVendorOf(schema)
  if (vendor !== undefined && '~standard' in schema)
    throw new ToolError('invalid_definition', `jsonSchema: this is a schema from ${vendor}. Pass it without jsonSchema().`)
  if (schema instanceof Promise) throw new ToolError('invalid_definition', 'jsonSchema: this is a promise. Await it first.')
  if (vendor === undefined && isSchemaNode(schema)) return withStandard(schema as never) as never
  throw new ToolError('invalid_definition', "jsonSchema: pass a JSON Schema, such as { type: 'object', properties: { … } }.")
}

/**
 * Which values a type describes. `in`: what a caller may pass, where a property with a default is optional. `out`: what code receives.
 * `kept`: either of them inside a union of several objects, where defaults aren't filled in.
 */
type Side = 'in' | 'out' | 'kept'

type Infer<Schema, S extends Side> = Schema extends { nullable: true } ? Typed<Schema, S> | null : Typed<Schema, S>

type Typed<Schema, S extends Side> = Schema extends { $ref: unknown }
  ? unknown
  : Schema extends { const: infer Value }
    ? Value
    : Schema extends { enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { type: infer Name }
        ? OfType<Name extends readonly (infer One)[] ? One : Name, Schema, S>
        : Schema extends { anyOf: readonly (infer One)[] } | { oneOf: readonly (infer One)[] }
          ? Each<One, true extends IsSeveral<Exclude<One, { type: keyof Scalars }>> ? 'kept' : S>
          : unknown

type Each<Schema, S extends Side> = Schema extends unknown ? Infer<Schema, S> : never

type IsSeveral<One, All = One> = One extends unknown ? ([All] extends [One] ? false : true) : never

type OfType<Name, Schema, S extends Side> = Name extends keyof Scalars
  ? Scalars[Name]
  : Name extends 'array'
    ? Schema extends { prefixItems: unknown }
      ? unknown[]
      : Schema extends { items: infer Item }
        ? Infer<Item, S>[]
        : unknown[]
    : Name extends 'object'
      ? OfProperties<Schema, S>
      : unknown

interface Scalars {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}

type OfProperties<Schema, S extends Side> = Schema extends { properties: infer Properties }
  ? Flat<
      { [Key in Present<Schema, Properties, S>]: Infer<Properties[Key], S> } & {
        [Key in Exclude<keyof Properties, Present<Schema, Properties, S>>]?: Infer<Properties[Key], S>
      }
    >
  : Schema extends { additionalProperties: infer Value extends object }
    ? Record<string, Infer<Value, S>>
    : Record<string, unknown>

/** The properties of a type that aren't optional. */
type Present<Schema, Properties, S extends Side> = S extends 'in'
  ? Exclude<Required<Schema, Properties>, Defaulted<Properties>>
  : S extends 'out'
    ? Required<Schema, Properties> | Defaulted<Properties>
    : Required<Schema, Properties>

type Required<Schema, Properties> = Schema extends { required: readonly (infer Name)[] } ? Name & keyof Properties : never

type Defaulted<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { default: unknown } ? Key : never
}[keyof Properties]

type Flat<Type> = { [Key in keyof Type]: Type[Key] }
