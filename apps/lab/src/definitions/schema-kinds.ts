/** The same arguments, described by five kinds of schemas: TypeBox, zod, arktype, valibot and JSON Schema. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { jsonSchema } from '@x/tool-core'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { z } from 'zod'

const CITY = 'City of the hotel'
const MEALS = ['breakfast', 'half board'] as const

export const SCHEMAS = {
  typebox: Type.Object({
    city: Type.String({ minLength: 1, description: CITY }),
    floor: Type.Optional(Type.Integer()),
    nights: Type.With(Type.Integer({ minimum: 1, maximum: 14 }), { default: 1 }),
    meal: Type.Optional(Type.Enum(MEALS)),
    payment: Type.Optional(
      Type.Union([
        Type.Object({ by: Type.Literal('card'), number: Type.String() }),
        Type.Object({ by: Type.Literal('bank'), iban: Type.String() }),
      ]),
    ),
    guests: Type.Array(Type.Object({ name: Type.String(), age: Type.Optional(Type.Number({ exclusiveMinimum: 0 })) }), {
      minItems: 1,
    }),
  }),
  zod: z.object({
    city: z.string().min(1).describe(CITY),
    floor: z.int().optional(),
    nights: z.int().min(1).max(14).default(1),
    meal: z.enum(MEALS).optional(),
    payment: z
      .union([z.object({ by: z.literal('card'), number: z.string() }), z.object({ by: z.literal('bank'), iban: z.string() })])
      .optional(),
    guests: z.array(z.object({ name: z.string(), age: z.number().positive().optional() })).min(1),
  }),
  arktype: type({
    city: type('string >= 1').describe(CITY),
    'floor?': 'number.integer',
    nights: '1 <= number.integer <= 14 = 1',
    'meal?': "'breakfast' | 'half board'",
    'payment?': type({ by: "'card'", number: 'string' }).or({ by: "'bank'", iban: 'string' }),
    guests: type({ name: 'string', 'age?': 'number > 0' }).array().atLeastLength(1),
  }),
  valibot: toStandardJsonSchema(
    v.object({
      city: v.pipe(v.string(), v.minLength(1), v.description(CITY)),
      floor: v.optional(v.pipe(v.number(), v.integer())),
      nights: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(14)), 1),
      meal: v.optional(v.picklist(MEALS)),
      payment: v.optional(
        v.union([v.object({ by: v.literal('card'), number: v.string() }), v.object({ by: v.literal('bank'), iban: v.string() })]),
      ),
      guests: v.pipe(v.array(v.object({ name: v.string(), age: v.optional(v.pipe(v.number(), v.gtValue(0))) })), v.minLength(1)),
    }),
  ),
  json: jsonSchema({
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 1, description: CITY },
      floor: { type: 'integer' },
      nights: { type: 'integer', minimum: 1, maximum: 14, default: 1 },
      meal: { type: 'string', enum: MEALS },
      payment: {
        anyOf: [
          { type: 'object', properties: { by: { const: 'card' }, number: { type: 'string' } }, required: ['by', 'number'] },
          { type: 'object', properties: { by: { const: 'bank' }, iban: { type: 'string' } }, required: ['by', 'iban'] },
        ],
      },
      guests: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, age: { type: 'number', exclusiveMinimum: 0 } },
          required: ['name'],
        },
      },
    },
    required: ['city', 'guests'],
  }),
}
