/** Types of the schemas that a definition accepts: TypeBox, Standard Schemas with a JSON form, and those of `jsonSchema`. */
import type { TProperties } from 'typebox'
import type { ValueOf } from './schema.ts'

/**
 * A schema that declares the types of its values and has a JSON form: zod 4.2, arktype 2.1.28, valibot with `toStandardJsonSchema`, or
 * what `jsonSchema` returns.
 */
export interface TypedSchema<In = unknown, Out = unknown> {
  readonly '~standard': {
    readonly types?: { readonly input: In; readonly output: Out } | undefined
    readonly jsonSchema: object
  }
}

/** The objects that an object schema describes, with its defaults filled in and its transformations applied. */
export type SchemaOutput<Schema> =
  Schema extends TypedSchema<unknown, infer Out>
    ? Members<Out>
    : Schema extends { '~kind': 'Object'; properties: infer Properties }
      ? // Not `infer Properties extends TProperties`, which costs 5,000 instantiations.
        Properties extends TProperties
        ? ValueOf<Properties>
        : never
      : never

/** The objects that a caller may pass. */
export type SchemaInput<Schema> = Schema extends TypedSchema<infer In> ? Members<In> : SchemaOutput<Schema>

/** A JSON Schema that isn't known at compile time may describe any object. */
type Members<Value> = unknown extends Value ? Record<string, unknown> : Value extends object ? Value : never

/** The schema itself if it describes objects. Otherwise the message that the compiler shows. */
export type Accepted<Schema> = [SchemaOutput<Schema>] extends [never] ? WhatToWrite<Schema> : Schema

type WhatToWrite<Schema> = Schema extends { '~standard': { jsonSchema: unknown } } | { '~kind': unknown }
  ? 'Write an object schema, such as Type.Object({ … }) or z.object({ … })'
  : Schema extends { '~standard': unknown }
    ? 'This schema has no JSON form. Use zod 4.2, arktype 2.1.28, or toStandardJsonSchema(schema) for valibot'
    : Schema extends { readonly [name: string]: { '~standard': unknown } | { '~kind': unknown } }
      ? 'Write z.object({ … }) or Type.Object({ … }) around the properties'
      : Schema extends object
        ? 'Write jsonSchema({ … }) around a JSON Schema'
        : 'Write a schema, such as Type.Object({ … }) or z.object({ … })'
