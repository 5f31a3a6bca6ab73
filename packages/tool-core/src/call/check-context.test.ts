import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { checkContext } from './context.ts'

const user = Type.Object({ user: Type.String() })

it.each([
  ['open', user],
  ['closed', { ...user, additionalProperties: false }],
])('ignores values that the tool does not declare: %s', async (_, schema) => {
  expect(await checkContext(schema, { user: 'ann', tenant: 't1' })).toEqual([])
  expect(await checkContext(schema, { tenant: 't1' })).toMatchObject([{ message: expect.stringContaining('user') }])
})

it('reports no value in an issue', async () => {
  const issues = await checkContext(user, { user: { secret: 'hunter2' } })
  expect(issues).toHaveLength(1)
  expect(JSON.stringify(issues)).not.toContain('hunter2')
})
