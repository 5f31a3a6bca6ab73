import fc from 'fast-check'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { onFakeClock } from '../../test/clock.ts'
import { defineTool } from '../../test/tools.ts'
import type { Tool } from '../define/tool.ts'
import { ToolError } from '../errors.ts'
import { callTool, dispatch } from './call.ts'

const hint = defineTool({
  name: 'give_hint',
  description: 'Gives a hint.',
  args: Type.Object({ hint_total: Type.Integer({ default: 0, minimum: 0 }) }),
  execute: ({ hint_total }) => ({ hint: hint_total > 2 ? 'No more hints available.' : `hint ${hint_total}` }),
})

function call(args: unknown, name = 'give_hint') {
  return { id: 'call_1', name, args: args as Record<string, unknown> }
}

function throwing(thrown: unknown): Tool {
  return defineTool({
    name: 'give_hint',
    description: 'Throws.',
    args: Type.Object({}),
    execute: (): unknown => {
      throw thrown
    },
  })
}

const unhandled = vi.fn()
beforeEach(() => void process.on('unhandledRejection', unhandled))
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

describe('callTool', () => {
  it('returns the output, the call and the changes to the arguments', async () => {
    const given = call({})
    expect(await callTool(hint, given)).toEqual({
      ok: true,
      call: given,
      output: { hint: 'hint 0' },
      args: { hint_total: 0 },
      tags: [{ tag: 'defaulted', path: '/hint_total' }],
      outputTags: [],
    })
  })

  it('returns the executed arguments if they may differ from those of the call', async () => {
    const sort = (rest: object) =>
      defineTool({
        name: 'sort',
        description: 'Sorts.',
        args: Type.Object({ list: Type.Array(Type.Number()) }),
        execute: ({ list }) => list.sort(),
        ...rest,
      })
    const given = call({ list: [2, 1] })
    expect(await callTool(sort({}), given)).toEqual({ ok: true, call: given, output: [1, 2], tags: [], outputTags: [] })
    const hooks = { beforeExecute: ({ list }: { list: number[] }) => ({ list: [3, ...list] }) }
    expect(await callTool(sort({ hooks }), given)).toMatchObject({ args: { list: [3, 2, 1] }, output: [1, 2, 3], tags: [] })
    expect(await callTool(sort({}), call({ list: ['2', 1] }))).toMatchObject({ args: { list: [2, 1] }, output: [1, 2] })
  })

  it('T3-8: reports each invalid field, and runs nothing', async () => {
    const result = await callTool(hint, call({ hint_total: -1 }))
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'invalid_arguments',
        message: 'Invalid arguments for "give_hint": /hint_total must be >= 0.',
        issues: [{ path: '/hint_total', keyword: 'minimum' }],
      },
    })
    expect(await callTool(hint, call({ hint_total: 99 }))).toMatchObject({ output: { hint: 'No more hints available.' } })
  })

  it('collects no stack for invalid arguments, unlike for an error that a tool throws', async () => {
    const { stackTraceLimit } = Error
    const [wrong, thrown] = [
      await callTool(hint, call({ hint_total: -1 })),
      await callTool(throwing(new ToolError('timeout', 'No.')), call({})),
    ]
    expect(wrong).toMatchObject({ ok: false, error: { stack: expect.stringMatching(/^ToolError: .*$/) } })
    expect(thrown).toMatchObject({ ok: false, error: { stack: expect.stringContaining('call.test.ts') } })
    expect(Error.stackTraceLimit).toBe(stackTraceLimit)
  })

  it('T2-22: refuses undeclared arguments of a strict tool, and suggests the declared one', async () => {
    const strict = defineTool({ ...hint, strict: true })
    expect(await callTool(strict, call({ hints_total: 1 }))).toMatchObject({
      ok: false,
      error: { issues: [{ path: '/hints_total', message: 'is not declared (did you mean "hint_total"?)' }] },
    })
  })

  it('names the ignored undeclared arguments when another one is missing', async () => {
    const weather = defineTool({
      name: 'give_hint',
      description: 'W.',
      args: Type.Object({ city: Type.String(), days: Type.Number() }),
      execute: () => 1,
    })
    expect(await callTool(weather, call({ place: 'Oslo', days: 2 }))).toMatchObject({
      error: {
        message:
          'Invalid arguments for "give_hint": must have required property \'city\'. Undeclared arguments were ignored: /place.',
      },
    })
  })

  it('T2-17: shows no secret in issues, at any depth', async () => {
    const args = Type.Object({ login: Type.Object({ password: Type.String({ minLength: 9 }) }), api_key: Type.Integer() })
    const login = defineTool({ name: 'give_hint', description: 'Logs in.', args, execute: () => 1 })
    const result = await callTool(login, call({ login: { password: 'hunter2' }, api_key: 'sk-secret' }))
    expect(result).toMatchObject({ error: { issues: [{ got: '[redacted]' }, { got: '[redacted]' }] } })
    expect(JSON.stringify(result.ok || { ...result.error, message: result.error.message })).not.toMatch(/hunter2|sk-secret/)
  })

  it('T2-17: shows only the length of a string in place of an object or array', async () => {
    const config = Type.Optional(Type.Object({ a: Type.Number() }))
    const headers = Type.Optional(Type.Union([Type.Array(Type.String()), Type.Object({})]))
    const tool = defineTool({ name: 'give_hint', description: 'D.', args: Type.Object({ config, headers }), execute: () => 1 })
    const result = await callTool(tool, call({ config: '{"password":"hunter2",}', headers: 'Authorization: Bearer hunter2' }))
    expect(result).toMatchObject({
      error: { issues: [{ got: 'a string of 23 characters' }, { got: 'a string of 29 characters' }] },
    })
    expect(JSON.stringify(result.ok || result.error.issues)).not.toContain('hunter2')
  })

  it('refuses a forbidden key', async () => {
    expect(await callTool(hint, call(JSON.parse('{"__proto__":{"isAdmin":true}}')))).toMatchObject({
      ok: false,
      error: { code: 'invalid_arguments', issues: [{ path: '/__proto__', keyword: 'forbidden' }] },
    })
  })

  it.each([[null], [undefined], ['{}'], [[1]]])('refuses %j in place of an object', async (args) => {
    expect(await callTool(hint, call(args))).toMatchObject({ ok: false, error: { code: 'invalid_arguments' } })
  })

  it('accepts frozen arguments and passes on a fresh object', async () => {
    const seen: unknown[] = []
    const tool = defineTool({ ...hint, execute: (given) => void seen.push(given) })
    const args = Object.freeze({ hint_total: 1 })
    expect((await callTool(tool, call(args))).ok).toBe(true)
    expect(seen).toEqual([args])
    expect(seen[0]).not.toBe(args)
  })

  it('T0-30: keeps a structured output as it is', async () => {
    const output = { list: [1, 'two', null], nested: { empty: '' } }
    const result = await callTool(defineTool({ ...hint, execute: () => output }), call({}))
    expect(result.ok && result.output).toBe(output)
  })

  it('converts any output to a bounded JSON value', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    for (const output of [10n, circular, new Map([[1, 2]]), undefined, '\ud800', 'x'.repeat(10_000_000), () => 1]) {
      const result = await callTool(defineTool({ ...hint, execute: () => output as unknown }), call({}))
      expect(result.ok).toBe(true)
      if (!result.ok) return
      expect(result.output).not.toBeUndefined()
      expect(JSON.stringify(result.output).length).toBeLessThan(1_000_100)
      expect(result.outputTags).toHaveLength(output === undefined ? 0 : 1)
    }
  })

  it('T2-18: truncates a long output at the limit of the tool, and tags it', async () => {
    const long = defineTool({ ...hint, maxOutputLength: 20, execute: () => ({ text: 'x'.repeat(100) }) })
    expect(await callTool(long, call({}))).toMatchObject({
      output: { text: expect.stringMatching(/^x{10,20}… \[truncated: 100 characters in total]$/) },
      outputTags: [{ tag: 'truncated', path: '/text' }],
      isTruncated: true,
    })
  })

  it('returns what the model sees besides the output', async () => {
    const tool = defineTool({
      name: 'give_hint',
      description: 'Gives.',
      args: Type.Object({}),
      execute: () => ({ rows: new Map([['a', 1]]) }),
      toModelOutput: ({ rows }: { rows: Map<string, number> }) => `${rows.size} row`,
    })
    expect(await callTool(tool, call({}))).toMatchObject({ output: { rows: { a: 1 } }, modelOutput: '1 row', outputTags: [] })
  })

  it.each([
    ['throws', refuse],
    ['never settles', () => new Promise(() => {})],
  ])('reports success when toModelOutput %s, because the effect took place', async (_how, toModelOutput) => {
    const { name, description } = hint
    const tool = defineTool({ name, description, args: Type.Object({}), timeoutMs: 20, execute: () => 1, toModelOutput })
    const result = await onFakeClock(() => callTool(tool, call({})))
    expect(result).toMatchObject({ ok: true, output: 1, modelOutputError: { code: expect.stringMatching(/failed|timeout/) } })
    expect(result).not.toHaveProperty('modelOutput')
  })

  it('waits for the promise of toModelOutput', async () => {
    const tool = defineTool({ ...hint, toModelOutput: async () => 'later' })
    expect(await callTool(tool, call({}))).toMatchObject({ ok: true, modelOutput: 'later' })
  })

  it('T2-16: leaves the stack out of the message, and keeps the cause', async () => {
    const cause = new Error("ENOENT: open '/home/ann/key'")
    const result = await callTool(throwing(cause), call({}))
    expect(result).toMatchObject({
      error: { code: 'execution_failed', message: `"give_hint" failed: ENOENT: open '[path]'`, retryable: false, cause },
    })
  })

  it('truncates an endless message of a ToolError, and keeps the other fields', async () => {
    const error = new ToolError('timeout', 'x'.repeat(10_000_000), { reason: 'slow', retryable: true })
    const result = await callTool(throwing(error), call({}))
    if (result.ok) throw new Error('This call fails.')
    const { code, reason, retryable, cause, message } = result.error
    expect({ code, reason, retryable }).toEqual({ code: 'timeout', reason: 'slow', retryable: true })
    expect(cause === error).toBe(true)
    expect(message).toMatch(/^x{3950}… \[truncated: 10000000 characters in total]$/)
  })

  it('lets a tool choose the code and the message', async () => {
    const error = new ToolError('execution_failed', 'Out of stock. Try another product.')
    expect(await callTool(throwing(error), call({}))).toMatchObject({ ok: false, error })
  })

  const circular = Object.assign(new Error('round'), { self: {} as unknown })
  circular.self = circular
  const hostile = Object.defineProperties(
    {},
    {
      message: { get: refuse },
      retryable: { get: refuse },
    },
  )
  it.each([
    ['null', null],
    ['undefined', undefined],
    ['a text', 'x'],
    ['a number', 0],
    ['a BigInt', 1n],
    ['a symbol', Symbol('s')],
    ['a function', () => 'source'],
    ['a circular error', circular],
    ['an object whose getters throw', hostile],
    ['an object without a prototype', Object.create(null)],
    ['a revoked proxy', revoked()],
    ['an object that is only marked as a ToolError', { [Symbol.for('@x/tool-core/error')]: true, message: 7n }],
    ['a frozen ToolError', Object.freeze(new ToolError('execution_failed', 'no'))],
  ])('returns a failed result for %s that is thrown or rejected', async (_what, thrown) => {
    const rejecting = defineTool({ ...hint, maxRetries: 1, execute: () => Promise.reject(thrown) })
    for (const tool of [throwing(thrown), rejecting]) {
      const result = await callTool(tool, call({}))
      expect(result.ok).toBe(false)
      if (result.ok) return
      expect(result.error).toBeInstanceOf(ToolError)
      expect(result.error.code).toBe('execution_failed')
      expect(result.error.message).not.toMatch(/ at |source/)
    }
  })

  it('returns a failed result for anything that is thrown', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything({ withBigInt: true, withNullPrototype: true }), async (thrown) => {
        const result = await callTool(throwing(thrown), call({}))
        expect(result.ok || result.error.code).toBe('execution_failed')
      }),
    )
  })

  it('reports a schema that cannot be compiled', async () => {
    const args = { type: 'object', properties: { a: { type: 'string', nullable: 'yes' } } } as unknown as typeof hint.args
    const tool = defineTool({ name: 'give_hint', description: 'Broken.', args, execute: () => 1 })
    expect(await callTool(tool, call({}))).toMatchObject({ ok: false, error: { code: 'invalid_definition' } })
  })
})

describe('dispatch', () => {
  const tools = new Map([['give_hint', hint]])

  it('T2-11: finds the tool that a call names and calls it', async () => {
    expect(await dispatch(tools, call({ hint_total: 1 }))).toMatchObject({ ok: true, output: { hint: 'hint 1' } })
  })

  it('T2-14: reports an unknown tool with the nearest name', async () => {
    expect(await dispatch(tools, call({}, 'giveHint'))).toMatchObject({
      ok: false,
      error: { code: 'unknown_tool', message: 'There is no tool "giveHint". Did you mean "give_hint"? Tools: give_hint.' },
    })
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])('finds no tool named %j', async (name) => {
    expect(await dispatch(tools, call({}, name))).toMatchObject({ ok: false, error: { code: 'unknown_tool' } })
    expect(await dispatch(new Map(), call({}, name))).toMatchObject({ error: { message: expect.stringContaining('no tools') } })
  })

  it.each([null, undefined])('returns a failed result for a call that is %j', async (nothing) => {
    expect(await dispatch(tools, nothing as never)).toMatchObject({ ok: false, error: { code: 'unknown_tool' } })
  })

  it.each<unknown>([null, undefined, 7, {}, { toString: refuse }])(
    'returns a failed result for a call whose name is %j',
    async (name) => {
      expect(await dispatch(tools, { ...call({}), name: name as never })).toMatchObject({
        ok: false,
        error: { code: 'unknown_tool' },
      })
    },
  )

  it('keeps the message short, however many tools there are and however long the name is', async () => {
    const many = new Map(Array.from({ length: 500 }, (_, index) => [`tool_${index}`, hint]))
    const result = await dispatch(many, call({}, 'x'.repeat(100_000)))
    expect(result).toMatchObject({ error: { message: expect.stringContaining('and 480 more.') } })
    if (!result.ok) expect(result.error.message.length).toBeLessThan(500)
  })
})

function refuse(): never {
  throw new Error('refused')
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
