/** The types of a signature's string form: `'question, context: string[] -> score?: number'`. Types only. */
import type { Signature } from './signature.ts'

/** The signature that a string literal declares. For a string that isn't known at compile time, fields have any name. */
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

/** A list's fields, as a union. */
type FieldIn<Text extends string> = Text extends `${infer Field},${infer Rest}` ? Trim<Field> | FieldIn<Rest> : Trim<Text>

/** Evaluates each field once for its name and once for its type, whatever the number of fields. */
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
