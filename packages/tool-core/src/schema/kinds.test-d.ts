import type { StandardSchemaV1 } from '@standard-schema/spec'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import * as z from 'zod'
import { type ArgsOf, defineAction, defineTool, jsonSchema, type NameOf, type OutputOf } from '../index.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}
const parts = { name: 'x', description: 'X.' } as const

// execute receives the schema's output, after its transformations.
const book = defineTool({
  name: 'book',
  description: 'Books.',
  args: z.object({ city: z.string(), nights: z.string().transform(Number) }),
  context: Type.Object({ user: Type.String() }),
  execute: ({ city, nights }, { values }) => {
    expectType<Equal<typeof nights, number>>()
    expectType<Equal<typeof values.user, string>>()
    return { city }
  },
  toModelOutput: ({ city }) => city.trim(),
})
expectType<Equal<NameOf<typeof book>, 'book'>>()
expectType<Equal<ArgsOf<typeof book>['nights'], number>>()
expectType<Equal<OutputOf<typeof book>, { city: string }>>()

// Every kind of schema, as args and as context.
const arkCity = type({ city: 'string' })
const valibotCity = toStandardJsonSchema(v.object({ city: v.string() }))
const jsonCity = jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
const statedCity = jsonSchema<{ city: string }>({ type: 'object' })
type City = { city: string }
void (() => {
  defineTool({ ...parts, args: arkCity, execute: ({ city }) => expectType<Equal<typeof city, string>>() })
  defineTool({ ...parts, args: valibotCity, execute: ({ city }) => expectType<Equal<typeof city, string>>() })
  defineTool({ ...parts, args: jsonCity, execute: (args) => expectType<Equal<typeof args, City>>() })
  defineTool({ ...parts, args: statedCity, execute: (args) => expectType<Equal<typeof args, City>>() })
  defineTool({
    ...parts,
    args: jsonSchema({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
    context: z.object({ user: z.string() }),
    execute: ({ city }, { values }) => {
      expectType<Equal<typeof city, string>>()
      expectType<Equal<typeof values, { user: string }>>()
    },
  })
})

// The output of an action is what `execute` returns.
const find = defineAction({
  ...parts,
  args: Type.Object({ name: Type.String() }),
  output: z.object({ id: z.string(), rank: z.number().default(1) }),
  hooks: { afterExecute: ({ id }) => void id.trim() },
  execute: ({ name }) => ({ id: name }),
})
expectType<Equal<OutputOf<typeof find>, { id: string; rank?: number | undefined }>>()
// @ts-expect-error The id is a string.
void (() => defineAction({ ...parts, args: jsonCity, output: z.object({ id: z.string() }), execute: () => ({ id: 1 }) }))

// A property whose type shows a default is optional for callers and present for execute.
const nights = { type: 'integer', default: 1 } as const
const withDefaults = {
  typebox: Type.Object({ city: Type.String(), nights: Type.With(Type.Number(), { default: 1 }) }),
  zod: z.object({ city: z.string(), nights: z.number().default(1) }),
  arktype: type({ city: 'string', nights: 'number = 1' }),
  valibot: toStandardJsonSchema(v.object({ city: v.string(), nights: v.optional(v.number(), 1) })),
  json: jsonSchema({ type: 'object', properties: { city: { type: 'string' }, nights }, required: ['city', 'nights'] }),
}
type Booking = { city: string; nights?: number }
const fromTypebox = defineTool({ ...parts, args: withDefaults.typebox, execute: ({ nights }) => nights.toFixed() })
const fromZod = defineTool({ ...parts, args: withDefaults.zod, execute: ({ nights }) => nights.toFixed() })
const fromArktype = defineTool({ ...parts, args: withDefaults.arktype, execute: ({ nights }) => nights.toFixed() })
const fromValibot = defineTool({ ...parts, args: withDefaults.valibot, execute: ({ nights }) => nights.toFixed() })
const fromJson = defineTool({ ...parts, args: withDefaults.json, execute: ({ nights }) => nights.toFixed() })
expectType<Equal<ArgsOf<typeof fromTypebox>, Booking>>()
expectType<Equal<ArgsOf<typeof fromZod>, Booking>>()
expectType<Equal<ArgsOf<typeof fromArktype>, Booking>>()
expectType<Equal<ArgsOf<typeof fromValibot>, Booking>>()
expectType<Equal<ArgsOf<typeof fromJson>, Booking>>()
void (() => fromZod.execute({ city: 'Oslo' }))
// @ts-expect-error The city is missing.
void (() => fromZod.execute({ nights: 1 }))
// Where no defaults are filled in, a property with a default isn't optional.
const counting = defineAction({
  ...parts,
  args: jsonCity,
  output: withDefaults.json,
  execute: () => ({ city: 'Oslo', nights: 1 }),
})
expectType<Equal<OutputOf<typeof counting>, { city: string; nights: number }>>()
// @ts-expect-error The nights are missing.
void (() => defineAction({ ...parts, args: jsonCity, output: withDefaults.typebox, execute: () => ({ city: 'Oslo' }) }))

// A JSON Schema that is unknown at compile time may describe any object.
declare const loaded: Record<string, unknown>
defineTool({ ...parts, args: jsonSchema(loaded), execute: (args) => expectType<Equal<typeof args, Record<string, unknown>>>() })

// A JSON Schema that is written in place, with every keyword that has a type.
const written = jsonSchema({
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer', default: 1 },
    unit: { enum: ['celsius', 'fahrenheit'] },
    kind: { const: 'a' },
    maybe: { type: ['string', 'null'] },
    nullable: { type: 'number', nullable: true },
    list: { type: 'array', items: { type: 'boolean' } },
    tuple: { type: 'array', prefixItems: [{ type: 'string' }] },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    place: { type: 'object', properties: { x: { type: 'number' } } },
    map: { type: 'object', additionalProperties: { type: 'number' } },
    other: { $ref: '#/$defs/other' },
  },
  required: ['text', 'kind'],
})
type Written = StandardSchemaV1.InferOutput<typeof written>
expectType<Equal<Written['count'], number>>()
expectType<Equal<StandardSchemaV1.InferInput<typeof written>['count'], number | undefined>>()
expectType<Equal<Pick<Written, 'text' | 'kind'>, { text: string; kind: 'a' }>>()
expectType<Equal<Written['unit'], 'celsius' | 'fahrenheit' | undefined>>()
expectType<Equal<Written['maybe'], string | null | undefined>>()
expectType<Equal<Written['nullable'], number | null | undefined>>()
expectType<Equal<Written['list'], boolean[] | undefined>>()
expectType<Equal<Written['tuple'], unknown[] | undefined>>()
expectType<Equal<Written['either'], string | number | undefined>>()
expectType<Equal<Written['place'], { x?: number } | undefined>>()
expectType<Equal<Written['map'], Record<string, number> | undefined>>()
expectType<Equal<Written['other'], unknown>>()

// In a union, defaults are filled in only if it has a single object.
const count = { type: 'number', default: 1 } as const
const unions = jsonSchema({
  type: 'object',
  properties: {
    only: { anyOf: [{ type: 'object', properties: { count } }, { type: 'null' }] },
    several: {
      anyOf: [
        { type: 'object', properties: { count } },
        { type: 'object', properties: { kind: { const: 'b' } } },
      ],
    },
  },
  required: ['only', 'several'],
})
type Unions = StandardSchemaV1.InferOutput<typeof unions>
expectType<Equal<Unions['only'], { count: number } | null>>()
expectType<Equal<Unions['several'], { count?: number } | { kind?: 'b' }>>()

// @ts-expect-error A valibot schema alone has no JSON form.
void (() => defineTool({ ...parts, args: v.object({ city: v.string() }), execute: () => 1 }))
// @ts-expect-error This schema describes no object.
void (() => defineTool({ ...parts, args: z.string(), execute: () => 1 }))
// @ts-expect-error This schema describes no object.
void (() => defineTool({ ...parts, args: Type.String(), execute: () => 1 }))
// @ts-expect-error This schema describes no object.
void (() => defineTool({ ...parts, args: jsonSchema({ type: 'string' }), execute: () => 1 }))
// @ts-expect-error A JSON Schema must be wrapped in jsonSchema().
void (() => defineTool({ ...parts, args: { type: 'object', properties: {} }, execute: () => 1 }))
// @ts-expect-error This isn't a schema.
void (() => defineTool({ ...parts, args: { city: 'string' }, execute: () => 1 }))
// @ts-expect-error This schema describes no object.
void (() => defineTool({ ...parts, args: jsonCity, context: z.string(), execute: () => 1 }))
// @ts-expect-error This schema describes no object.
void (() => defineAction({ ...parts, args: jsonCity, output: z.string(), execute: () => 'x' }))

// A tool's args are a Standard Schema of what `execute` takes.
const now = defineTool({ name: 'now', description: 'Now.', args: Type.Object({ zone: Type.String() }), execute: () => 1 })
expectType<Equal<StandardSchemaV1.InferOutput<typeof now.args>, { zone: string }>>()
// The args of one tool may be used for another.
defineTool({ ...parts, args: now.args, execute: ({ zone }) => expectType<Equal<typeof zone, string>>() })
