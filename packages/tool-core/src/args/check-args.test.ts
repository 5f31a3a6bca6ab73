import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { callTool } from '../call/call.ts'
import { defineTool } from '../define/tool.ts'
import { checkArgs } from './check-args.ts'

const runs: unknown[] = []
const give = defineTool({
  name: 'give',
  description: 'Give.',
  args: Type.Object({ city: Type.String(), days: Type.Integer({ default: 1, minimum: 1 }) }, { additionalProperties: false }),
  execute: (args) => runs.push(args),
})

it('returns the args that a call would receive, and runs nothing', async () => {
  expect(await checkArgs(give, { city: 'Oslo', days: '2' })).toEqual({ city: 'Oslo', days: 2 })
  expect(await checkArgs(give, { city: 'Oslo' })).toEqual({ city: 'Oslo', days: 1 })
  expect(runs).toEqual([])
})

it.each([{ town: 'Oslo' }, { city: 5 }, { city: 'Oslo', days: 0 }, 'Oslo', null])(
  'throws the same error as a call for %j',
  async (args) => {
    const result = await callTool(give, { id: '1', name: 'give', args: args as never })
    const said = await checkArgs(give, args as never).catch((error: unknown) => error)
    if (result.ok) throw new Error('It ran.')
    expect(said).toMatchObject({ code: result.error.code, message: result.error.message, issues: result.error.issues })
  },
)

it('uses the `parse` of the tool, if it has one', async () => {
  const parse = () => ({ issues: [{ path: '/city', keyword: 'custom', message: 'must be in Norway' }] })
  await expect(checkArgs({ ...give, parse }, { city: 'Rome' })).rejects.toThrow('/city must be in Norway')
})
