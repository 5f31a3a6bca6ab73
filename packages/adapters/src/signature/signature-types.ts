/**
 * Infers the types of a signature from its fields or from its string form: `'question, context: string[] -> score?: number'`.
 * Types only.
 */
import type { TypedSchema, ValueOf } from '@x/tool-core'
import type { TOptional, TProperties, TUnsafe } from 'typebox'
import type { Signature } from './signature.ts'

/** The values of fields, for schemas of any library. */
export type FieldValues<Fields extends TProperties> = ValueOf<{ [Name in keyof Fields]: AsTypeBox<Fields[Name]> }>

/** Replaces a schema from another library with a TypeBox schema of the same type. TypeBox infers types only for its own schemas. */
type AsTypeBox<Schema> =
  Schema extends TypedSchema<infer In>
    ? unknown extends In
      ? TUnsafe<unknown>
      : undefined extends In
        ? TOptional<TUnsafe<Exclude<In, undefined>>>
        : Schema extends TOptional
          ? TOptional<TUnsafe<In>>
          : TUnsafe<In>
    : Schema

/** The fields. A schema without a JSON form is replaced with a message that appears in the compiler's error. */
export type CheckedFields<Fields> = { [Name in keyof Fields]: CheckedField<Fields[Name]> }

type CheckedField<Schema> = Schema extends { '~standard': unknown } ? (Schema extends TypedSchema ? Schema : NoJsonForm) : Schema

type NoJsonForm = 'This schema has no JSON form. Use zod 4.2, arktype 2.1.28, or toStandardJsonSchema(schema) for valibot'

/** The signature in a string literal. If the string isn't known at compile time, fields may have any name. */
export type SignatureIn<Text extends string> = string extends Text
  ? Signature<Record<string, unknown>, Record<string, unknown>>
  : Signature<InputsIn<Text>, OutputsIn<Text>>

export type InputsIn<Text extends string> = Text extends `${infer Inputs}->${string}` ? Fields<FieldIn<Inputs>> : never
export type OutputsIn<Text extends string> = Text extends `${string}->${infer Outputs}` ? Fields<FieldIn<Outputs>> : never

interface TypeNames {
  string: string
  number: number
  integer: number
  boolean: boolean
}

/** The fields in a comma-separated list, as a union. */
type FieldIn<Text extends string> = Text extends `${infer Field},${infer Rest}` ? Trim<Field> | FieldIn<Rest> : Trim<Text>

/** Evaluates each field once for its name and once for its type, so that the cost is linear in the number of fields. */
type Fields<Field extends string> = Flat<
  { [One in Field as RequiredName<NameIn<One>>]: TypeIn<One> } & { [One in Field as OptionalName<NameIn<One>>]?: TypeIn<One> }
>

type Flat<Type> = { [Key in keyof Type]: Type[Key] }

type NameIn<Field extends string> = Field extends `${infer Name}:${string}` ? Trim<Name> : Field

type RequiredName<Name extends string> = Name extends '' | `${string}?` ? never : Name
type OptionalName<Name extends string> = Name extends `${infer Bare}?` ? Trim<Bare> : never

type TypeIn<Field extends string> = Field extends `${string}:${infer Type}` ? NamedType<Trim<Type>> : string

type NamedType<Name extends string> = Name extends keyof TypeNames
  ? TypeNames[Name]
  : Name extends `${infer Item}[]`
    ? ListOf<Trim<Item>>
    : ChoiceIn<Name>

type ListOf<Item extends string> = Item extends keyof TypeNames ? TypeNames[Item][] : never

type ChoiceIn<Text extends string> = Text extends `${infer First}|${infer Rest}`
  ? ChoiceIn<First> | ChoiceIn<Rest>
  : Trim<Text> extends `'${infer Choice}'` | `"${infer Choice}"`
    ? Choice
    : never

type Space = ' ' | '\n' | '\t' | '\r'

type Trim<Text extends string> = Text extends `${Space}${infer Rest}`
  ? Trim<Rest>
  : Text extends `${infer Rest}${Space}`
    ? Trim<Rest>
    : Text
