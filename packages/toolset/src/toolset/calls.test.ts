/** A model's calls to the tools of a toolset: which arguments reach the method, and which don't. */
import { ToolError } from '@x/tool-core'
import * as Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { type Loose, method, Toolset } from '../../test/loose.ts'
import { call as callNamed } from '../../test/tools.ts'

class ApiToolset extends Toolset {
  readonly name = 'api'
  /** The arguments that reached an implementation. */
  readonly arrived: object[] = []

  readonly measure = method({
    description: 'Measure something.',
    args: Type.Object({ ratio: Type.Number(), unit: Type.Optional(Type.Enum(['metre', 'mile'])) }),
    execute: (args) => this.arrived.push(args),
  })
  readonly book = method({
    description: 'Book a table.',
    args: Type.Object({
      guest: Type.Object({
        name: Type.String(),
        meal: Type.Enum(['fish', 'vegetables']),
        note: Type.Optional(Type.String()),
        seats: Type.Integer({ default: 2 }),
      }),
    }),
    execute: (args) => this.arrived.push(args),
  })
  readonly request = method({
    description: 'Send a request that only reads.',
    effect: 'read',
    args: Type.Object({ verb: Type.String(), path: Type.String() }),
    execute: (args) => {
      if (args.verb !== 'GET') {
        throw new ToolError('execution_failed', `${args.verb} is not allowed here: only GET is.`, { reason: 'read_only' })
      }
      return this.arrived.push(args)
    },
  })
}

async function call(name: string, args: Record<string, unknown>): Promise<{ result: Loose; arrived: unknown }> {
  const api = new ApiToolset()
  return { result: await callNamed(api.tools(), name, args), arrived: api.arrived }
}

const refusedAt = (path: string) => ({ ok: false, error: { code: 'invalid_arguments', issues: [{ path }] } })

describe('a call', () => {
  it('T0-14: passes an object of arguments', async () => {
    const { result, arrived } = await call('api_measure', { ratio: 0.5 })
    expect([result.ok, arrived]).toEqual([true, [{ ratio: 0.5 }]])
  })

  it('T0-19: may pass an integer for a number', async () => {
    const { result, arrived } = await call('api_measure', { ratio: 2 })
    expect([result.ok, arrived]).toEqual([true, [{ ratio: 2 }]])
  })

  it('T0-20: passes a value from a list of choices', async () => {
    expect((await call('api_measure', { ratio: 1, unit: 'mile' })).arrived).toEqual([{ ratio: 1, unit: 'mile' }])
  })

  it.each(['yard', 'MILE', 'mil', ['mile']])(
    'T0-20: is refused for %j, which is not one of the choices, and nothing runs',
    async (unit) => {
      const { result, arrived } = await call('api_measure', { ratio: 1, unit })
      expect(result).toMatchObject(refusedAt('/unit'))
      expect(arrived).toEqual([])
    },
  )

  it('T0-21: passes a nested object with a choice, a default and an optional field', async () => {
    const { arrived } = await call('api_book', { guest: { name: 'Ada', meal: 'fish' } })
    expect(arrived).toEqual([{ guest: { name: 'Ada', meal: 'fish', seats: 2 } }])
    const { arrived: whole } = await call('api_book', { guest: { name: 'Ada', meal: 'fish', note: 'late', seats: 3 } })
    expect(whole).toEqual([{ guest: { name: 'Ada', meal: 'fish', note: 'late', seats: 3 } }])
  })

  it.each<Loose>([
    ['/guest/meal', { name: 'Ada', meal: 'soup' }],
    ['/guest/note', { name: 'Ada', meal: 'fish', note: 7 }],
  ])('T0-21: is refused for an invalid value at %s', async (path, guest) => {
    const { result, arrived } = await call('api_book', { guest })
    expect(result).toMatchObject(refusedAt(path))
    expect(arrived).toEqual([])
  })

  it.each(['POST', 'DELETE', 'get', 'GET\r\nX: 1', ''])(
    'T0-36: is refused for the HTTP method %j if only reading is allowed',
    async (verb) => {
      const { result, arrived } = await call('api_request', { verb, path: '/repos' })
      expect(result).toMatchObject({ ok: false, error: { code: 'execution_failed', reason: 'read_only' } })
      expect(arrived).toEqual([])
      expect((await call('api_request', { verb: 'GET', path: '/repos' })).arrived).toHaveLength(1)
    },
  )
})
