/** Uses a tool with each kind of schema in one program: in one toolset, one registry and one agent. */
import { defineSignature, type Loss } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { createReactAgent } from '@x/react-agent'
import { createRegistry } from '@x/registry'
import { defineTool, toSpec } from '@x/tool-core'
import { defineToolset } from '@x/toolset'
import { describe, expect, it } from 'vitest'
import { WIRES } from '../wires.ts'
import { SCHEMAS } from './schema-kinds.ts'

const description = 'Books a hotel.'
const hotel = defineToolset({
  name: 'hotel',
  description: 'Hotels.',
  tools: [
    defineTool({ name: 'typebox', description, args: SCHEMAS.typebox, execute: (args) => ({ ...args, last: args.nights }) }),
    defineTool({ name: 'zod', description, args: SCHEMAS.zod, execute: (args) => ({ ...args, last: args.nights }) }),
    defineTool({ name: 'arktype', description, args: SCHEMAS.arktype, execute: (args) => ({ ...args, last: args.nights }) }),
    defineTool({ name: 'valibot', description, args: SCHEMAS.valibot, execute: (args) => ({ ...args, last: args.nights }) }),
    defineTool({ name: 'json', description, args: SCHEMAS.json, execute: (args) => ({ ...args, last: args.nights }) }),
  ],
})
const registry = createRegistry([hotel])
const { names } = registry

/** Returns the results for all kinds of schemas, without the tool names. */
async function resultsOf(args: object): Promise<readonly unknown[]> {
  return Promise.all(
    names.map(async (name) => {
      const result = await registry.execute({ id: 'call_1', name, arguments: JSON.stringify(args) })
      if (result.ok) return { output: result.output, tags: result.tags }
      const { code, issues } = result.error
      return { code, places: [...new Set(issues.map(({ path, keyword }) => `${path} ${keyword}`))].sort() }
    }),
  )
}

const guests = [{ name: 'Ada' }]

describe('tools of five kinds of schema', () => {
  it('take the same arguments in typed code', async () => {
    const results = [
      await registry.execute('typebox', { city: 'Oslo', guests }),
      await registry.execute('zod', { city: 'Oslo', guests }),
      await registry.execute('arktype', { city: 'Oslo', guests }),
      await registry.execute('valibot', { city: 'Oslo', guests }),
      await registry.execute('json', { city: 'Oslo', guests }),
    ]
    for (const result of results) expect(result.ok && result.output).toEqual({ city: 'Oslo', guests, nights: 1, last: 1 })
  })

  it.each<[string, object]>([
    ['whole', { city: 'Oslo', floor: 2, nights: 3, meal: 'breakfast', guests: [{ name: 'Ada', age: 36 }] }],
    ['with a default', { city: 'Oslo', guests }],
    ['coerced', { city: 'Oslo', nights: '3', meal: null, guests: '[{"name":"Ada","age":"36"}]', pool: true }],
  ])('take the same arguments of a model, with the same tags: %s', async (_, args) => {
    const [first, ...others] = await resultsOf(args)
    expect(first).toMatchObject({ output: { city: 'Oslo', guests: [{ name: 'Ada' }] } })
    for (const other of others) expect(other).toEqual(first)
  })

  it.each<[string, object, readonly string[]]>([
    ['nothing', {}, [' required']],
    ['a guest without a name', { city: 'Oslo', guests: [{}] }, ['/guests/0 required']],
    ['wrong types', { city: 5, guests: [{ name: 'Ada', age: 'old' }] }, ['/city type', '/guests/0/age type']],
    ['null', { city: null, guests: null }, ['/city type', '/guests type']],
    ['text in place of a list', { city: 'Oslo', guests: 'Ada' }, ['/guests type']],
    ['too little', { city: '', nights: 0, guests: [] }, ['/city minLength', '/guests minItems', '/nights minimum']],
    ['too much', { city: 'Oslo', nights: 15, guests }, ['/nights maximum']],
    [
      'a part of a night',
      { city: 'Oslo', nights: 1.5, guests: [{ name: 'Ada', age: 0 }] },
      ['/guests/0/age exclusiveMinimum', '/nights type'],
    ],
    ['a card without its number', { city: 'Oslo', guests, payment: { by: 'card' } }, ['/payment required']],
    ['another payment', { city: 'Oslo', guests, payment: { by: 'cash' } }, ['/payment/by enum']],
    ['a payment that is no object', { city: 'Oslo', guests, payment: 5 }, ['/payment anyOf']],
    ['another meal', { city: 'Oslo', meal: 'lunch', guests }, ['/meal enum']],
    ['a misspelt name', { city: 'Oslo', guests: [{ nme: 'Ada' }] }, ['/guests/0/nme additionalProperties']],
  ])('refuse the same arguments at the same places: %s', async (_, args, places) => {
    for (const result of await resultsOf(args)) expect(result).toEqual({ code: 'invalid_arguments', places })
  })

  it('tell a model what is missing or has the wrong type in the same words', async () => {
    const failing = names.map((name) => ({ id: name, name, arguments: '{"city":5,"guests":[{}]}' }))
    const lm = scriptedLM([{ toolCalls: failing }, { text: 'No.' }])
    const agent = await createReactAgent({ lm, signature: defineSignature('question -> answer'), tools: [hotel] })
    await agent.run({ question: '?' })
    const observations = lm.requests[1]?.messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []))
    const words = `/city must be string; /guests/0 must have required property 'name'.`
    expect(observations).toEqual(names.map((name) => expect.stringContaining(`Invalid arguments for "${name}": ${words}`)))
  })

  it.each(WIRES.flatMap((wire) => [false, true].map((strictTools) => [wire.name, strictTools, wire] as const)))(
    'lose the same on %s, strict: %s',
    async (_, strictTools, wire) => {
      const model = wire.name === 'bedrock-converse' ? 'anthropic.claude-sonnet-4-5' : 'm'
      const [first, ...others] = [...(await registry.resolve()).values()].map((tool) => {
        const spec = toSpec(tool)
        const losses: Loss[] = []
        const tools = [{ ...spec, function: { ...spec.function, name: 'book' } }]
        wire.encode({ messages: [{ role: 'user', content: '?' }], tools, strictTools }, model, {
          onLoss: (loss) => losses.push(loss),
        })
        // The libraries write keywords and properties in different orders, and only some of them name the draft.
        return losses
          .filter(({ keyword }) => keyword !== '$schema')
          .map((loss) => JSON.stringify(loss))
          .sort()
      })
      for (const other of others) expect(other).toEqual(first)
    },
  )
})
