import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import * as zod from 'zod'
import { defineAction, defineTool, type Loose, parallel } from '../../test/tools.ts'
import { sequence } from '../compose/sequence.ts'
import type { Tool } from '../define/tool.ts'
import type { ToolError } from '../errors.ts'
import { callTool, executePrepared, prepareCall } from './call.ts'

const z: Loose = zod

function pay() {
  const log: string[] = []
  const action = defineAction({
    name: 'pay',
    description: 'Pays.',
    needsApproval: true,
    args: Type.Object({ amount: Type.Number(), currency: Type.String({ default: 'EUR' }) }),
    output: Type.Object({ paid: Type.Boolean() }),
    context: Type.Object({ user: Type.String() }),
    hooks: {
      beforeValidate: () => void log.push('beforeValidate'),
      beforeExecute: (args: object) => ({ ...args, at: log.push('beforeExecute') }),
      afterExecute: () => void log.push('afterExecute'),
      onError: ({ code }: ToolError) => void log.push(`onError ${code}`),
    },
    execute: (args) => {
      log.push(`execute ${JSON.stringify(args)}`)
      return { paid: true }
    },
  })
  return { action, log }
}

const call = { id: 'c', name: 'pay', args: { amount: '5' } }
const values = { user: 'ada' }

async function prepared<T extends Tool>(tool: T, args: object = call.args) {
  const result = await prepareCall(tool, { ...call, args: args as typeof call.args }, { values })
  if (!result.ok) throw result.error
  return result
}

describe('prepareCall', () => {
  it('returns what would be executed, but executes nothing', async () => {
    const { action, log } = pay()
    const args = { amount: 5, currency: 'EUR', at: 2 }
    const tags = [
      { tag: 'coerced', path: '/amount' },
      { tag: 'defaulted', path: '/currency' },
    ]
    expect(await prepared(action)).toEqual({ ok: true, tool: action, call, args, shown: args, tags })
    expect(log).toEqual(['beforeValidate', 'beforeExecute'])
  })

  it('returns the failure, and calls onError once', async () => {
    const { action, log } = pay()
    const result = await prepareCall(action, { ...call, args: {} }, { values })
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_arguments' } })
    expect(log).toEqual(['beforeValidate', 'onError invalid_arguments'])
    expect(await prepareCall(action, call)).toMatchObject({ ok: false, error: { code: 'invalid_context' } })
    expect(await prepareCall(action, null as never)).toMatchObject({ ok: false })
    for (const nothing of [undefined, null, Promise.resolve({}), await prepareCall(action, call)])
      expect(await executePrepared(nothing as never)).toMatchObject({ ok: false, error: { code: 'invalid_definition' } })
  })

  it.each<[string, Loose, object, object]>([
    ['takes what it made', z.object({ s: z.string().trim() }), { s: ' a ' }, { s: 'a' }],
    ['adds a default', z.object({ n: z.number().default(5) }), {}, { n: 5 }],
    ['makes another type', z.object({ s: z.string().transform(Number) }), { s: '1' }, { s: '1' }],
    ['makes more of it each time', z.object({ n: z.number().transform((n: number) => n * 2) }), { n: 1 }, { n: 1 }],
    [
      'adds a default, then makes more of it',
      z.object({
        n: z
          .number()
          .default(1)
          .transform((n: number) => n * 2),
      }),
      {},
      {},
    ],
    ['makes what JSON cannot hold', z.object({ s: z.string().transform((s: string) => new Set(s)) }), { s: 'a' }, { s: 'a' }],
  ])('shows args that can be edited, for a schema that %s', async (_, schema, given, shown) => {
    const tool = defineTool({
      name: 'pay',
      description: 'P.',
      needsApproval: true,
      args: schema,
      execute: (args: object) => args,
    })
    expect((await prepared(tool, given)).shown).toEqual(shown)
    const approve = vi.fn(() => true)
    expect(await callTool(tool, { ...call, args: given as never }, { approve })).toMatchObject({ ok: true })
    expect(approve).toHaveBeenCalledExactlyOnceWith({ callId: 'c', name: 'pay', args: shown })
  })

  it('calls a parser once if no approval is needed', async () => {
    const transform = vi.fn(Number)
    const tool = defineTool({
      name: 'pay',
      description: 'P.',
      args: z.object({ s: z.string().transform(transform) }),
      execute: (args: object) => args,
    })
    const { args, shown } = await prepared(tool, { s: '1' })
    expect([args, shown, transform.mock.calls.length]).toEqual([{ s: 1 }, { s: 1 }, 1])
  })
})

describe('prepareCall, for lists', () => {
  it.each([
    [{ tags: 'red' }, '/tags must be array'],
    [{ tags: { 0: 'red' } }, '/tags must be array'],
    [{ tags: ['red', {}] }, '/tags/1 must be string'],
    [{ tags: ['red', null] }, '/tags/1 must be string'],
  ])('T3-11: refuses %j, which is the wrong kind of list', async (args, words) => {
    const execute = vi.fn()
    const tag = defineTool({ name: 'tag', description: 'Tags.', args: Type.Object({ tags: Type.Array(Type.String()) }), execute })
    const result = await callTool(tag, { id: 'c', name: 'tag', args: args as never })
    expect(result).toMatchObject({ ok: false, error: { code: 'invalid_arguments', message: expect.stringContaining(words) } })
    expect(execute).not.toHaveBeenCalled()
  })
})

describe('approved args', () => {
  it.each<[string, (pay: Loose, other: Loose) => Tool]>([
    ['a tool', (pay) => pay],
    ['a step of a sequence', (pay, other) => sequence('both', pay, other)],
    ['a step beside others', (pay, other) => parallel('both', { pay, other })],
  ])('are executed unchanged by %s, whatever a hook does later with its return value', async (_, toTool) => {
    const held: { amount: number }[] = []
    const executed: object[] = []
    const define = (name: string, needsApproval: boolean, hooks: object) =>
      defineAction({
        name,
        description: 'D.',
        needsApproval,
        args: Type.Object({ amount: Type.Number() }),
        output: Type.Object({ amount: Type.Number() }),
        hooks,
        execute: (args) => {
          executed.push(structuredClone(args))
          return args
        },
      })
    const keep = (args: { amount: number }) => {
      held.push(args)
      return args
    }
    const tool = toTool(define('pay', true, { beforeExecute: keep }), define('other', false, {}))
    const approve = () => {
      for (const args of held) args.amount = 500
      return true
    }
    const result = await callTool(tool, { id: 'c', name: tool.name, args: { amount: 5 } }, { approve })
    expect(result).toMatchObject({ ok: true })
    expect(executed).toEqual(executed.map(() => ({ amount: 5 })))
  })
})

describe('a value that a hook returned', () => {
  const paying = (beforeExecute: (args: { amount: number }) => object) => {
    const executed: object[] = []
    const args = Type.Object({ amount: Type.Number() })
    const hooks = { beforeExecute: beforeExecute as (args: object) => never }
    const execute = (given: object) => {
      executed.push({ ...given })
      return {}
    }
    const base = { name: 'pay', description: 'P.', needsApproval: true, args, output: Type.Object({}) }
    return { tool: defineAction({ ...base, hooks, execute }) as Tool, executed }
  }
  const both = async (tool: Tool, meanwhile: () => void) => {
    const shown: object[] = []
    await callTool(tool, call, {
      approve: ({ args }) => {
        shown.push({ ...args })
        meanwhile()
        return true
      },
    })
    const ready = await prepared(tool)
    shown.push({ ...ready.shown })
    meanwhile()
    await executePrepared(ready)
    return shown
  }

  it('is executed as it was shown, even if it has no JSON form and changes later', async () => {
    const held: { amount: number; at: Date }[] = []
    const { tool, executed } = paying((args) => {
      const kept = { ...args, at: new Date(0) }
      held.push(kept)
      return kept
    })
    await both(tool, () => {
      for (const args of held) Object.assign(args, { amount: args.at.setFullYear(2000) })
    })
    expect(executed).toEqual([
      { amount: 5, at: new Date(0) },
      { amount: 5, at: new Date(0) },
    ])
  })

  it('is read only once, even if a getter returns something else each time', async () => {
    let reads = 0
    const { tool, executed } = paying(() => ({
      get amount() {
        return ++reads
      },
    }))
    expect(await both(tool, () => {})).toEqual(executed)
    expect(executed).toHaveLength(2)
  })

  it('may be a proxy, and may contain an instance of a class', async () => {
    const connection = new (class Connection {
      self = this
    })()
    const { tool, executed } = paying((args) => new Proxy({ ...args, list: [args], connection }, {}))
    await both(tool, () => {})
    expect(executed).toHaveLength(2)
    for (const args of executed) {
      expect(args).toEqual({ amount: 5, list: [{ amount: 5 }], connection })
      expect((args as { connection: object }).connection).toBe(connection)
    }
  })
})

describe('executePrepared', () => {
  it('executes the prepared args, without approval and without the earlier hooks', async () => {
    const { action, log } = pay()
    const ready = await prepared(action)
    log.length = 0
    expect(await executePrepared(ready, { values })).toMatchObject({ ok: true, call, output: { paid: true }, tags: ready.tags })
    expect(log).toEqual(['execute {"amount":5,"currency":"EUR","at":2}', 'afterExecute'])
  })

  it('executes the same args again, even if the tool changed them', async () => {
    const seen: unknown[] = []
    const tool = defineTool({
      name: 'pay',
      description: 'P.',
      args: Type.Object({ amount: Type.Number() }),
      execute: (args: { amount: number }) => {
        seen.push({ ...args })
        args.amount *= 2
      },
    })
    const ready = await prepared(tool)
    await executePrepared(ready)
    await executePrepared(ready)
    expect(seen).toEqual([{ amount: 5 }, { amount: 5 }])
    expect(ready).toMatchObject({ args: { amount: 5 }, shown: { amount: 5 } })
  })

  it('validates the context again, because another process may have prepared the call', async () => {
    const { action, log } = pay()
    const ready = await prepared(action)
    log.length = 0
    expect(await executePrepared(ready, { values: { user: 1 } })).toMatchObject({ ok: false, error: { code: 'invalid_context' } })
    expect(log).toEqual(['onError invalid_context'])
  })

  it('returns a failure like callTool', async () => {
    const execute = () => {
      throw new Error('disk full')
    }
    const tool = defineTool({ name: 'pay', description: 'P.', args: Type.Object({ amount: Type.Number() }), execute })
    const both = [await executePrepared(await prepared(tool)), await callTool(tool, call)]
    for (const result of both) {
      expect(result).toMatchObject({ ok: false, call, error: { code: 'execution_failed', message: '"pay" failed: disk full' } })
    }
  })
})

describe('a value that is not a tool', () => {
  it.each<[string, Loose]>([
    ['undefined', undefined],
    ['null', null],
    ['"pay"', 'pay'],
    ['a promise. Await it first', Promise.resolve({})],
    ['a function', () => 1],
    ['{"name":"pay","description":"P."', { name: 'pay', description: 'P.', args: { type: 'object' }, execute: () => 1 }],
  ])('is reported by every function that takes a tool, without a rejection: %s', async (got, tool) => {
    const call = { id: 'c', name: 'pay', args: {} }
    const results = [callTool(tool, call), prepareCall(tool, call), executePrepared({ tool, call, args: {}, tags: [] })]
    for (const result of await Promise.all(results))
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'invalid_definition', message: expect.stringContaining(`must be a tool, got ${got}`) },
      })
  })
})
