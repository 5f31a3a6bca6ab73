/** The types of schemas that a definition accepts: TypeBox, Standard Schemas with a JSON form, and the results of `jsonSchema`. */
import type { TProperties } from 'typebox'
import type { ValueOf, VENDOR } from './schema.ts'

/**
 * A schema that declares the types of its values and has a JSON form. Such schemas come from zod 4.2, arktype 2.1.28, valibot with
 * `toStandardJsonSchema`, and `jsonSchema`.
 */
export interface TypedSchema<In = unknown, Out = unknown> {
  readonly '~standard': {
    readonly types?: { readonly input: In; readonly output: Out } | undefined
    readonly jsonSchema: object
  }
}

/** The type of an object schema's values, after defaults are filled in and transformations are applied. */
export type SchemaOutput<Schema> =
  Schema extends TypedSchema<unknown, infer Out>
    ? Members<Out>
    : Schema extends { '~kind': 'Object'; properties: infer Properties }
      ? // Not `infer Properties extends TProperties`, which costs 5,000 instantiations.
        Properties extends TProperties
        ? ValueOf<Properties>
        : never
      : never

/** The type of the objects that a schema accepts. A property is optional if the schema's type shows that it has a default. */
export type SchemaInput<Schema> = Schema extends TypedSchema<infer In> ? Members<In> : TypeBoxArgs<Schema>

/** The type of the objects that code passes to a tool's `execute`. Defaults are filled in, but nothing is transformed. */
export type SchemaArgs<Schema> =
  Schema extends TypedSchema<infer In, infer Out> ? WithOptional<Members<Out>, OptionalIn<In>> : TypeBoxArgs<Schema>

/** The type of the objects that `execute` returns for an output schema. Defaults aren't filled in. */
export type SchemaResult<Schema> =
  Schema extends TypedSchema<infer In, infer Out>
    ? Members<Schema extends { '~standard': { vendor: typeof VENDOR } } ? Out : In>
    : SchemaOutput<Schema>

/** The type of a TypeBox schema shows a default only if the schema was written with `Type.With`. */
type TypeBoxArgs<Schema> = Schema extends { '~kind': 'Object'; properties: infer Properties }
  ? WithOptional<SchemaOutput<Schema>, Defaulted<Properties>>
  : never

type Defaulted<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { default: unknown } ? Key : never
}[keyof Properties]

type OptionalIn<In> = { [Key in keyof In]-?: undefined extends In[Key] ? Key : never }[keyof In]

type WithOptional<Value, Keys> = [Keys] extends [never] ? Value : Flat<Value, Keys & keyof Value>

type Flat<Value, Optional extends keyof Value, All = Omit<Value, Optional> & Partial<Pick<Value, Optional>>> = {
  [Key in keyof All]: All[Key]
}

/** The type of an object schema's values. A JSON Schema that is unknown at compile time may describe any object. */
type Members<Value> = unknown extends Value ? Record<string, unknown> : Value extends object ? Value : never

/** The schema itself if its values are objects. Otherwise, a message for the compiler to show. */
export type Accepted<Schema> = [SchemaOutput<Schema>] extends [never] ? WhatToWrite<Schema> : Schema

type WhatToWrite<Schema> = Schema extends { '~standard': { jsonSchema: unknown } } | { '~kind': unknown }
  ? 'Write an object schema, such as Type.Object({ … }) or z.object({ … })'
  : Schema extends { '~standard': unknown }
    ? 'This schema has no JSON form. Use zod 4.2, arktype 2.1.28, or toStandardJsonSchema(schema) for valibot'
    : Schema extends { readonly [name: string]: { '~standard': unknown } | { '~kind': unknown } }
      ? 'Wrap the properties in z.object({ … }) or Type.Object({ … })'
      : Schema extends object
        ? 'Wrap the JSON Schema in jsonSchema({ … })'
        : 'Write a schema, such as Type.Object({ … }) or z.object({ … })'
