import { callTool, defineTool, type Tool, type ToolContext } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { connect, type Reply, send } from '../../test/server/clients.ts'
import { serveMcp } from './serve-mcp.ts'

const INFO = { name: 'test', version: '1.0.0' }
const KEY = 'a key for tests that has at least 32 bytes'

function removing(run: (path: string) => unknown = (path) => `removed ${path}`): Tool {
  return defineTool({
    name: 'remove',
    description: 'Removes a file.',
    args: Type.Object({ path: Type.String(), force: Type.With(Type.Boolean(), { default: false }) }),
    needsApproval: true,
    execute: ({ path }) => run(path),
  })
}

const CALL = { name: 'remove', arguments: { path: '/a' } }
const ACCEPT = { approve_remove: { action: 'accept', content: {} } }

function stateOf({ result }: Reply): { requestState: unknown } {
  expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) })
  return { requestState: result?.requestState }
}

describe('an approval', () => {
  it('is requested with a form without fields that shows the arguments to be executed', async () => {
    const server = serveMcp([removing()], INFO)
    const { client, forms } = await connect(server, { answers: ['accept'] })
    expect((await client.callTool(CALL)).content).toEqual([{ type: 'text', text: 'removed /a' }])
    expect(forms).toEqual(['Allow "remove" to run with these arguments? {"path":"/a","force":false}'])
    const { result } = await send(server, 'tools/call', CALL)
    expect(result?.inputRequests).toEqual({
      approve_remove: {
        method: 'elicitation/create',
        params: { mode: 'form', message: forms[0], requestedSchema: { type: 'object', properties: {} } },
      },
    })
  })

  it('for one server is not accepted by another one with the same key', async () => {
    const run = vi.fn()
    const one = serveMcp([removing(run)], { ...INFO, name: 'staging', stateKey: KEY })
    const other = serveMcp([removing(run)], { ...INFO, name: 'production', stateKey: KEY })
    const state = stateOf(await send(one, 'tools/call', CALL))
    const { error } = await send(other, 'tools/call', { ...CALL, ...state, inputResponses: ACCEPT })
    expect(error).toMatchObject({ code: -32_602 })
    expect(run).not.toHaveBeenCalled()
    await send(one, 'tools/call', { ...CALL, ...state, inputResponses: ACCEPT })
    expect(run).toHaveBeenCalledOnce()
  })

  it('is reported once as unprotected if `authorize` names no subject to bind it to', async () => {
    const errors: Error[] = []
    const onError = (error: Error) => errors.push(error)
    const open = serveMcp([removing()], { ...INFO, authorize: () => ({}), onError })
    for (let times = 0; times < 2; times++) stateOf(await send(open, 'tools/call', CALL))
    expect(errors).toMatchObject([{ code: 'unprotected', message: expect.stringContaining('authorize returned no subject') }])
    const bound = serveMcp([removing()], { ...INFO, authorize: () => ({ subject: 'ada' }), onError })
    stateOf(await send(bound, 'tools/call', CALL))
    expect(errors).toHaveLength(1)
  })

  it.each(['decline', 'cancel'] as const)('is refused by "%s"', async (answer) => {
    const run = vi.fn()
    const { client } = await connect(serveMcp([removing(run)], INFO), { answers: [answer] })
    expect(await client.callTool(CALL)).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('denied') }] })
    expect(run).not.toHaveBeenCalled()
  })

  it('shows hidden characters', async () => {
    const { client, forms } = await connect(serveMcp([removing()], INFO), { answers: ['accept'] })
    await client.callTool({ name: 'remove', arguments: { path: '/a\u202Etxt.exe\u200B\u3164\uFE0F\u2028\u2800' } })
    expect(forms[0]).toContain('/a\\u{202e}txt.exe\\u{200b}\\u{3164}\\u{fe0f}\\u{2028}\\u{2800}')
  })

  it('shows long arguments in full', async () => {
    const { client, forms } = await connect(serveMcp([removing()], INFO), { answers: ['accept'] })
    const path = `${'x'.repeat(100_000)}/etc/passwd`
    await client.callTool({ name: 'remove', arguments: { path } })
    expect(forms[0]).toContain(`${path}","force":false}`)
  })

  it('is needed only once for all rounds of a call, and each round has the key of the first', async () => {
    const keys: string[] = []
    const inner = removing()
    const outer = defineTool({
      name: 'clean',
      description: 'Removes two files.',
      args: Type.Object({}),
      needsApproval: true,
      execute: async (_, context) => {
        keys.push(context.idempotencyKey)
        const paths = ['/a', '/b']
        const results = paths.map((path, id) =>
          callTool(inner, { id: `${id}`, name: 'remove', args: { path } }, context as ToolContext),
        )
        return (await Promise.all(results)).map((result) => result.ok)
      },
    })
    const { client, forms } = await connect(serveMcp([outer], INFO), { answers: ['accept', 'accept', 'accept'] })
    expect((await client.callTool({ name: 'clean' })).content).toEqual([{ type: 'text', text: '[true,true]' }])
    expect(forms.map((form) => form.slice(0, 13))).toEqual(['Allow "clean"', 'Allow "remove', 'Allow "remove'])
    expect(new Set(keys).size).toBe(1)
  })
})

describe('the state of a question', () => {
  it('carries an approval to another process with the same key', async () => {
    const [one, other] = [1, 2].map(() => serveMcp([removing()], { ...INFO, stateKey: KEY }))
    const state = stateOf(await send(one as never, 'tools/call', CALL))
    const { result } = await send(other as never, 'tools/call', { ...CALL, ...state, inputResponses: ACCEPT })
    expect(result?.content).toEqual([{ type: 'text', text: 'removed /a' }])
  })

  it.each<[what: string, params: object, headers?: Record<string, string>]>([
    ['changed', { requestState: 'changed' }],
    ['of other arguments', { arguments: { path: '/b' } }],
    ['of another tool', { name: 'other' }],
    ['of another subject', {}, { 'x-user': 'bob' }],
  ])('is refused if it is %s', async (what, params, headers) => {
    const run = vi.fn()
    const other = defineTool({ ...removing(run), name: 'other' } as never)
    const authorize = (request: Request) => ({ subject: request.headers.get('x-user') ?? 'ann' })
    const server = serveMcp([removing(run), other], { ...INFO, authorize })
    const { requestState } = stateOf(await send(server, 'tools/call', CALL))
    const state = what === 'changed' ? { requestState: `${requestState}x` } : { requestState, ...params }
    const reply = await send(server, 'tools/call', { ...CALL, ...state, inputResponses: ACCEPT }, headers)
    expect(reply.error).toMatchObject({ code: -32602, message: 'Invalid or expired requestState' })
    expect(run).not.toHaveBeenCalled()
  })

  it('is refused after it has expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const server = serveMcp([removing()], { ...INFO, questionTtlMs: 60_000 })
      const state = stateOf(await send(server, 'tools/call', CALL))
      vi.setSystemTime(Date.now() + 62_000)
      expect(await send(server, 'tools/call', { ...CALL, ...state, inputResponses: ACCEPT })).toMatchObject({
        error: { code: -32602 },
      })
    } finally {
      vi.useRealTimers()
    }
  })

  it('is required: an answer without a question approves nothing', async () => {
    const run = vi.fn()
    const server = serveMcp([removing(run)], INFO)
    stateOf(await send(server, 'tools/call', { ...CALL, inputResponses: ACCEPT }))
    expect(run).not.toHaveBeenCalled()
  })

  it('approves what was shown, even if a default has changed since', async () => {
    let now = 0
    const tool = defineTool({
      name: 'remove',
      description: 'Removes a file.',
      args: Type.Object({ path: Type.String() }),
      needsApproval: true,
      execute: () => 'removed',
      hooks: { beforeExecute: (args: object) => ({ ...args, now: now++ }) },
    } as never)
    const server = serveMcp([tool], INFO)
    const first = await send(server, 'tools/call', CALL)
    const second = await send(server, 'tools/call', { ...CALL, ...stateOf(first), inputResponses: ACCEPT })
    expect(JSON.stringify(second.result)).toContain('\\"now\\":1')
    stateOf(second)
  })
})

it('answers a client of revision 2026-07-28 that cannot be asked with -32021', async () => {
  const { client } = await connect(serveMcp([removing()], INFO))
  await expect(client.callTool(CALL)).rejects.toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } })
})

it('fails the call of an earlier client over HTTP, and says why', async () => {
  const run = vi.fn()
  const { client } = await connect(serveMcp([removing(run)], INFO), { era: 'legacy', answers: ['accept'] })
  expect(await client.callTool(CALL)).toMatchObject({
    isError: true,
    content: [
      {
        text: expect.stringContaining(
          "can't be requested here. Tell the user. This client uses an earlier MCP revision over HTTP.",
        ),
      },
    ],
  })
  expect(run).not.toHaveBeenCalled()
})
