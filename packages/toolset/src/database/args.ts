/** The arguments of the database tools, with the descriptions that a model reads. */
import * as Type from 'typebox'
import { OPERATORS } from './select-statement.ts'
import { MAX_SQL_LENGTH } from './statement-text.ts'

const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
const table = Type.String({ description: 'Name of a table or view, as listed' })
const column = Type.String({ description: 'Name of a column, as described' })

const condition = Type.Object({
  column,
  operator: Type.Optional(Type.Enum([...OPERATORS], { description: 'Default: "="' })),
  value: Type.Optional(
    Type.Union([scalar, Type.Array(scalar, { maxItems: 1000 })], {
      description: 'Value to compare with. A list is only allowed with "in"',
    }),
  ),
})
const sortKey = Type.Object({ column, descending: Type.Optional(Type.Boolean()) })

export const noArgs = Type.Object({})

export const tableArgs = Type.Object({ table })

export const selectArgs = Type.Object({
  table,
  columns: Type.Optional(Type.Union([Type.Array(column), Type.Null()], { description: 'Default: all columns' })),
  where: Type.Optional(Type.Union([Type.Array(condition, { maxItems: 100 }), Type.Null()])),
  order_by: Type.Optional(Type.Union([Type.Array(sortKey, { maxItems: 100 }), Type.Null()])),
  limit: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
  offset: Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])),
})

export const sqlArgs = Type.Object({
  sql: Type.String({ minLength: 1, maxLength: MAX_SQL_LENGTH, description: 'One SQL statement, with $1, $2, … for values' }),
  params: Type.Optional(
    Type.Union([Type.Array(scalar, { maxItems: 1000 }), Type.Null()], { description: 'Values for $1, $2, …, in order' }),
  ),
})
