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

// Every kind, as args and as context.
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

// The output of an action is what execute returns.
const find = defineAction({
  ...parts,
  args: Type.Object({ name: Type.String() }),
  output: z.object({ id: z.string(), rank: z.number().default(1) }),
  hooks: { afterExecute: ({ id }) => void id.trim() },
  execute: ({ name }) => ({ id: name }),
})
expectType<Equal<OutputOf<typeof find>, { id: string; rank?: number | undefined }>>()
// @ts-expect-error an id is text
void (() => defineAction({ ...parts, args: jsonCity, output: z.object({ id: z.string() }), execute: () => ({ id: 1 }) }))

// A JSON Schema that isn't known at compile time may describe any object.
declare const loaded: Record<string, unknown>
defineTool({ ...parts, args: jsonSchema(loaded), execute: (args) => expectType<Equal<typeof args, Record<string, unknown>>>() })

// A JSON Schema written in place: every keyword that has a type.
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

// @ts-expect-error a valibot schema alone has no JSON form
void (() => defineTool({ ...parts, args: v.object({ city: v.string() }), execute: () => 1 }))
// @ts-expect-error no object
void (() => defineTool({ ...parts, args: z.string(), execute: () => 1 }))
// @ts-expect-error no object
void (() => defineTool({ ...parts, args: Type.String(), execute: () => 1 }))
// @ts-expect-error no object
void (() => defineTool({ ...parts, args: jsonSchema({ type: 'string' }), execute: () => 1 }))
// @ts-expect-error a JSON Schema alone
void (() => defineTool({ ...parts, args: { type: 'object', properties: {} }, execute: () => 1 }))
// @ts-expect-error no schema
void (() => defineTool({ ...parts, args: { city: 'string' }, execute: () => 1 }))
// @ts-expect-error no object
void (() => defineTool({ ...parts, args: jsonCity, context: z.string(), execute: () => 1 }))
// @ts-expect-error no object
void (() => defineAction({ ...parts, args: jsonCity, output: z.string(), execute: () => 'x' }))

// A tool's args are a Standard Schema of what execute takes.
const now = defineTool({ name: 'now', description: 'Now.', args: Type.Object({ zone: Type.String() }), execute: () => 1 })
expectType<Equal<StandardSchemaV1.InferOutput<typeof now.args>, { zone: string }>>()
// They may be those of another tool.
defineTool({ ...parts, args: now.args, execute: ({ zone }) => expectType<Equal<typeof zone, string>>() })
