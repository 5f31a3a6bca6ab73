import * as valibotJson from '@valibot/to-json-schema'
import * as arktype from 'arktype'
import { Type } from 'typebox'
import * as valibot from 'valibot'
import { describe, expect, it } from 'vitest'
import * as zod from 'zod'
import { defineTool, type Loose } from '../../test/tools.ts'
import { callTool } from '../call/call.ts'
import { jsonSchema } from '../schema/json-schema.ts'
import { deriveTool } from './derive.ts'
import { toSpec } from './spec.ts'

const v: Loose = valibot
const z: Loose = zod
const { type }: Loose = arktype
const { toStandardJsonSchema }: Loose = valibotJson
const toolOf = (args: unknown) => defineTool({ name: 'book', description: 'Books.', args, execute: (given: object) => given })
const nights = { type: 'number', default: 1 }

describe.each<[string, object]>([
  ['TypeBox', Type.Object({ city: Type.Optional(Type.String()), nights: Type.With(Type.Number(), { default: 1 }) })],
  ['jsonSchema', jsonSchema({ type: 'object', properties: { city: { type: 'string' }, nights } })],
  ['zod', z.object({ city: z.string().optional(), nights: z.number().default(1) })],
  ['arktype', type({ 'city?': 'string', nights: 'number = 1' })],
  ['valibot', toStandardJsonSchema(v.object({ city: v.optional(v.string()), nights: v.optional(v.number(), 1) }))],
])('a default of %s', (_library, args) => {
  const tool = toolOf(args)

  it('is filled in when your own code calls the tool, unless the argument is given', async () => {
    expect(await tool.execute({})).toEqual({ nights: 1 })
    expect(await tool.execute({ city: 'Oslo', nights: undefined })).toEqual({ city: 'Oslo', nights: 1 })
    expect(await deriveTool(tool, { execute: (given) => [given] }).execute({})).toEqual([{ nights: 1 }])
    const given = { nights: 3 }
    expect(await tool.execute(given)).toBe(given)
  })

  it('is filled in when a model calls the tool, and the model sees it in the schema', async () => {
    expect(await callTool(tool, { id: '1', name: 'book', args: {} })).toMatchObject({ output: { nights: 1 } })
    expect(toSpec(tool).function.parameters).toMatchObject({ properties: { nights } })
  })
})

describe('a default of a direct call', () => {
  it("uses the library's own default if that changes or is transformed", async () => {
    let calls = 0
    const count = z.number().default(() => ++calls)
    const length = z.string().transform((text: string) => text.length)
    const tool = toolOf(z.object({ count, length: length.default(5) }))
    const first: Loose = await tool.execute({})
    const second: Loose = await tool.execute({})
    expect(second.count).toBeGreaterThan(first.count)
    expect(first.length).toBe(5)
  })

  it('uses the default of the JSON Schema if the library refuses the other arguments, which are already transformed', async () => {
    const tool = toolOf(z.object({ size: z.string().transform(Number), nights: z.number().default(1) }))
    expect(await tool.execute({ size: 5 })).toEqual({ size: 5, nights: 1 })
  })

  it('waits for an asynchronous validator to fill in a default', async () => {
    const tool = toolOf(z.object({ nights: z.number().default(2) }).refine(async () => true))
    expect(await tool.execute({})).toEqual({ nights: 2 })
  })

  it('runs an asynchronous refinement once, and passes its rejection to the caller', async () => {
    let runs = 0
    const refinement = async () => {
      runs++
      throw new Error('no database')
    }
    // Vitest fails if another rejection isn't handled.
    const tool = toolOf(z.object({ nights: z.number().default(2) }).refine(refinement))
    await expect(tool.execute({})).rejects.toThrow('no database')
    expect(runs).toBe(1)
  })

  it('copies a default for each call', async () => {
    const tool = toolOf(jsonSchema({ type: 'object', properties: { tags: { type: 'array', default: ['new'] } } }))
    const [one, other]: Loose[] = [await tool.execute({}), await tool.execute({})]
    expect(one.tags).toEqual(['new'])
    expect(one.tags).not.toBe(other.tags)
  })

  it('leaves a call unchanged if there are no defaults', async () => {
    const given = {}
    expect(await toolOf(z.object({ city: z.string().optional() })).execute(given)).toBe(given)
    expect(await toolOf(Type.Object({ city: Type.Optional(Type.String()) })).execute(given)).toBe(given)
  })
})
