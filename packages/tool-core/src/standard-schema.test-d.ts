import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import * as z from 'zod'
import { type ArgsOf, defineTool as defineTypeBoxTool, type NameOf, type OutputOf } from './index.ts'
import { defineTool } from './standard-schema.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function expectType<_T extends true>(): void {}

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

defineTool({
  name: 'book',
  description: 'Books.',
  args: type({ city: 'string' }),
  execute: ({ city }) => expectType<Equal<typeof city, string>>(),
})

// @ts-expect-error a valibot schema alone does not support JSON Schema
void (() => defineTool({ name: 'x', description: 'X.', args: v.object({ city: v.string() }), execute: () => 1 }))
// @ts-expect-error no object
void (() => defineTool({ name: 'x', description: 'X.', args: z.string(), execute: () => 1 }))

// A tool's args are a Standard Schema of what execute takes.
const now = defineTypeBoxTool({
  name: 'now',
  description: 'Now.',
  args: Type.Object({ zone: Type.String() }),
  execute: () => 1,
})
expectType<Equal<StandardSchemaV1.InferOutput<typeof now.args>, { zone: string }>>()
