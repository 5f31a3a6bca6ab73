import { defineTool, type Effect, type Tool, type ToolContext } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { connect, send } from '../../test/server/clients.ts'
import { serveMcp } from './serve-mcp.ts'

const INFO = { name: 'test', version: '1.0.0' }
const NAME = { key: 'user_name', message: 'What is your name?', schema: Type.Object({ name: Type.String({ minLength: 2 }) }) }

const greet = defineTool({
  name: 'greet',
  description: 'Greets the user.',
  args: Type.Object({ greeting: Type.With(Type.String(), { default: 'Hello' }) }),
  nested: true,
  execute: async ({ greeting }, { ask }) => `${greeting}, ${(await ask(NAME)).name}!`,
})

function accept(content: object) {
  return { inputResponses: { user_name: { action: 'accept', content } } }
}

const CALL = { name: 'greet', arguments: {} }

describe('a question of a tool', () => {
  it('is a form with its own key, and the answer continues the call', async () => {
    const server = serveMcp([greet], INFO)
    const first = await send(server, 'tools/call', CALL)
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        user_name: {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'What is your name?',
            requestedSchema: { type: 'object', properties: { name: { type: 'string', minLength: 2 } }, required: ['name'] },
          },
        },
      },
    })
    const { requestState } = first.result as { requestState: string }
    const second = await send(server, 'tools/call', { ...CALL, ...accept({ name: 'Ann' }), requestState })
    expect(second.result?.content).toEqual([{ type: 'text', text: 'Hello, Ann!' }])
  })

  it('may be answered with the first call', async () => {
    const reply = await send(serveMcp([greet], INFO), 'tools/call', { ...CALL, ...accept({ name: 'Ann' }) })
    expect(reply.result?.content).toEqual([{ type: 'text', text: 'Hello, Ann!' }])
  })

  it.each([
    ['too short', accept({ name: 'A' })],
    ['without its field', accept({})],
    ['a number', { inputResponses: { user_name: 12345 } }],
    ['under another key', { inputResponses: { other: { action: 'accept', content: { name: 'Ann' } } } }],
  ])('is asked again if the answer is %s', async (_, params) => {
    const reply = await send(serveMcp([greet], INFO), 'tools/call', { ...CALL, ...params })
    expect(reply.result).toMatchObject({ resultType: 'input_required' })
  })

  it('fails the call if the user declines, unless the tool continues without an answer', async () => {
    const patient = defineTool({
      ...{ name: 'patient', description: 'Greets.', args: Type.Object({}), nested: true as const },
      execute: async (_, { ask }) => await ask(NAME).catch((error: { code: string }) => error.code),
    })
    const server = serveMcp([greet, patient], INFO)
    const declined = { inputResponses: { user_name: { action: 'decline' } } }
    expect((await send(server, 'tools/call', { ...CALL, ...declined })).result).toMatchObject({
      isError: true,
      content: [{ text: '"greet" failed: The user declined to answer the question "user_name".' }],
    })
    const reply = await send(server, 'tools/call', { name: 'patient', arguments: {}, ...declined })
    expect(reply.result?.content).toEqual([{ type: 'text', text: 'rejected' }])
  })

  it('is refused to a client that cannot be asked', async () => {
    const old = await connect(serveMcp([greet], INFO), { era: 'legacy' })
    expect(await old.client.callTool(CALL)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("this client can't ask the user") }],
    })
    const { client } = await connect(serveMcp([greet], INFO))
    await expect(client.callTool(CALL)).rejects.toMatchObject({ code: -32021 })
  })

  it('keeps earlier answers in the signed state', async () => {
    const runs = vi.fn()
    const two = defineTool({
      ...{ name: 'two', description: 'Asks twice.', args: Type.Object({}), nested: true as const },
      async execute(_, { ask }) {
        runs()
        const { name } = await ask(NAME)
        const { color } = await ask({ key: 'color', message: 'Which color?', schema: Type.Object({ color: Type.String() }) })
        return `${name}: ${color}`
      },
    })
    const server = serveMcp([two], INFO)
    const call = { name: 'two', arguments: {} }
    const second = await send(server, 'tools/call', { ...call, ...accept({ name: 'Ann' }) })
    expect(Object.keys(second.result?.inputRequests as object)).toEqual(['color'])
    const { requestState } = second.result as { requestState: string }
    const inputResponses = { color: { action: 'accept', content: { color: 'red' } } }
    const third = await send(server, 'tools/call', { ...call, inputResponses, requestState })
    expect(third.result?.content).toEqual([{ type: 'text', text: 'Ann: red' }])
    expect(runs).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['a key with a space', { ...NAME, key: 'user name' }],
    ['the key of an approval', { ...NAME, key: 'approve_inner' }],
    ['a schema that no form has', { ...NAME, schema: Type.Object({ list: Type.Array(Type.Object({})) }) }],
  ])('with %s fails the call', async (_, question) => {
    const tool = defineTool({
      ...{ name: 'wrong', description: 'Asks.', args: Type.Object({}), nested: true as const },
      execute: (_args, { ask }) => ask(question as never),
    })
    const reply = await send(serveMcp([tool], INFO), 'tools/call', { name: 'wrong', arguments: {} })
    expect(reply.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("can't be asked") }],
    })
  })
})

describe('a call of a tool within a call', () => {
  const made = vi.fn()

  function inner(effect: Effect | undefined, needsApproval = false): Tool {
    return defineTool({
      ...{ name: 'inner', description: 'Acts.', args: Type.Object({ n: Type.Number() }), effect, needsApproval },
      execute: ({ n }, { idempotencyKey }) => {
        made(idempotencyKey)
        return n + 1
      },
    })
  }

  function outer(nested: true | readonly string[], then?: 'ask'): Tool {
    return defineTool({
      ...{ name: 'outer', description: 'Calls.', args: Type.Object({ n: Type.Unknown() }), nested },
      async execute({ n }, { call, ask }) {
        const result = await call({ name: 'inner', args: { n } })
        if (then === 'ask') await ask(NAME)
        return { result }
      },
    })
  }

  const call = (n: unknown) => ({ name: 'outer', arguments: { n } })

  it('returns its output, or its error', async () => {
    const { client } = await connect(serveMcp([outer(true), inner('read')], INFO))
    expect((await client.callTool(call(1))).content).toEqual([{ type: 'text', text: '{"result":2}' }])
    expect(await client.callTool(call('x'))).toMatchObject({
      isError: true,
      content: [{ text: '"outer" failed: Invalid arguments for "inner": /n must be number.' }],
    })
  })

  it('can only reach permitted tools', async () => {
    const server = (nested: readonly string[]) => serveMcp([outer(nested), inner('read')], INFO)
    expect((await send(server(['inn*']), 'tools/call', call(1))).result).not.toHaveProperty('isError')
    expect((await send(server(['in']), 'tools/call', call(1))).result).toMatchObject({
      isError: true,
      content: [{ text: '"outer" failed: "outer" must not call "inner".' }],
    })
  })

  it('asks for approval, and is made once', async () => {
    made.mockClear()
    const { client, forms } = await connect(serveMcp([outer(true), inner('write', true)], INFO), { answers: ['accept'] })
    expect((await client.callTool(call(1))).content).toEqual([{ type: 'text', text: '{"result":2}' }])
    expect(forms).toEqual(['Allow "inner" to run with these arguments? {"n":1}'])
    expect(made).toHaveBeenCalledTimes(1)
  })

  it.each(['write', 'destructive', undefined] as const)(
    'with the effect "%s" is never made twice: nothing is asked after it',
    async (effect) => {
      made.mockClear()
      const reply = await send(serveMcp([outer(true, 'ask'), inner(effect)], INFO), 'tools/call', call(1))
      expect(reply.result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("can't ask the user any more") }],
      })
      expect(made).toHaveBeenCalledTimes(1)
    },
  )

  it.each(['read', 'idempotent'] as const)(
    'with the effect "%s" is repeated with the same key after a question',
    async (effect) => {
      made.mockClear()
      const server = serveMcp([outer(true, 'ask'), inner(effect)], INFO)
      const first = await send(server, 'tools/call', call(1))
      const { requestState } = first.result as { requestState: string }
      const second = await send(server, 'tools/call', { ...call(1), ...accept({ name: 'Ann' }), requestState })
      expect(second.result?.content).toEqual([{ type: 'text', text: '{"result":2}' }])
      expect(made.mock.calls[0]).toEqual(made.mock.calls[1])
    },
  )

  it.each([
    ['a question', (context: ToolContext) => [context.ask(NAME), context.call({ name: 'inner', args: { n: 1 } })]],
    ['a question, asked later', (context: ToolContext) => [context.call({ name: 'inner', args: { n: 1 } }), context.ask(NAME)]],
    [
      'an approval',
      (context: ToolContext) => [context.call({ name: 'guarded' }), context.call({ name: 'inner', args: { n: 1 } })],
    ],
  ])('beside %s is made once in all rounds', async (_, run) => {
    made.mockClear()
    const guarded = defineTool({
      ...{ name: 'guarded', description: 'Needs an approval.', args: Type.Object({}), effect: 'read', needsApproval: true },
      execute: () => 'guarded',
    })
    const both = defineTool({
      ...{ name: 'both', description: 'Does both.', args: Type.Object({}), nested: true as const },
      execute: async (_args, context) => JSON.stringify(await Promise.all(run(context))),
    })
    const { client } = await connect(serveMcp([both, guarded, inner('write')], INFO), {
      answers: [{ name: 'Ann' }, { name: 'Ann' }],
    })
    expect(await client.callTool({ name: 'both' })).not.toHaveProperty('isError')
    expect(made).toHaveBeenCalledTimes(1)
  })

  it('waits for the other approvals before it is made', async () => {
    made.mockClear()
    const both = defineTool({
      ...{ name: 'both', description: 'Calls twice.', args: Type.Object({}), nested: true as const },
      execute: (_args, { call }) => Promise.all([1, 2].map((n) => call({ name: 'inner', args: { n } }))),
    })
    const server = serveMcp([both, inner('write', true)], INFO)
    const request = { name: 'both', arguments: {} }
    const first = await send(server, 'tools/call', request)
    expect(Object.keys(first.result?.inputRequests as object)).toEqual(['approve_inner', 'approve_inner_2'])
    // The client answers only one of two questions.
    const accepted = { action: 'accept', content: {} }
    const second = await send(server, 'tools/call', {
      ...request,
      inputResponses: { approve_inner: accepted },
      requestState: first.result?.requestState,
    })
    expect(Object.keys(second.result?.inputRequests as object)).toEqual(['approve_inner_2'])
    expect(made).not.toHaveBeenCalled()
    const third = await send(server, 'tools/call', {
      ...request,
      inputResponses: { approve_inner_2: accepted },
      requestState: second.result?.requestState,
    })
    expect(third.result?.content).toEqual([{ type: 'text', text: '[2,3]' }])
    expect(made).toHaveBeenCalledTimes(2)
  })

  it('is asked for together with those of parallel calls, in the order of the calls, however long their digests take', async () => {
    const digest = crypto.subtle.digest.bind(crypto.subtle)
    let calls = 0
    vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (...given) => {
      // The first approval needs the longest time. The digest before it is that of the whole call.
      if (++calls === 2) await new Promise((resolve) => setTimeout(resolve, 50))
      return digest(...given)
    })
    const both = defineTool({
      ...{ name: 'both', description: 'Calls twice.', args: Type.Object({}), nested: true as const },
      execute: (_args, { call }) => Promise.all([1, 2].map((n) => call({ name: 'inner', args: { n } }))),
    })
    const { result } = await send(serveMcp([both, inner('write', true)], INFO), 'tools/call', { name: 'both', arguments: {} })
    vi.restoreAllMocks()
    expect(calls).toBeGreaterThan(2)
    expect(Object.keys(result?.inputRequests as object)).toEqual(['approve_inner', 'approve_inner_2'])
  })

  it('is asked for together with a question that follows before the next turn of the event loop', async () => {
    const later = defineTool({
      ...{ name: 'later', description: 'Asks twice.', args: Type.Object({}), nested: true as const },
      async execute(_args, { ask }) {
        const first = ask(NAME)
        for (let turns = 0; turns < 20; turns++) await undefined
        return Promise.all([first, ask({ ...NAME, key: 'other_name' })])
      },
    })
    const { result } = await send(serveMcp([later], INFO), 'tools/call', { name: 'later', arguments: {} })
    expect(Object.keys(result?.inputRequests as object)).toEqual(['user_name', 'other_name'])
  })

  it('is not made by a tool that continues after its call has ended', async () => {
    made.mockClear()
    let goOn: () => void = () => {}
    const later = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const stubborn = defineTool({
      ...{ name: 'stubborn', description: 'Goes on.', args: Type.Object({}), nested: true as const },
      execute: async (_args, { ask, call }) => {
        const asked = ask(NAME).catch(() => 'declined')
        await Promise.race([asked, later])
        return call({ name: 'inner', args: { n: 1 } })
      },
    })
    const { result } = await send(serveMcp([stubborn, inner('read')], INFO), 'tools/call', { name: 'stubborn', arguments: {} })
    expect(result).toMatchObject({ resultType: 'input_required' })
    goOn()
    await new Promise((resolve) => setImmediate(resolve))
    expect(made).not.toHaveBeenCalled()
  })

  it('may ask a question itself, and then act', async () => {
    made.mockClear()
    const wizard = defineTool({
      ...{ name: 'wizard', description: 'Asks, then acts.', args: Type.Object({}), nested: true as const },
      execute: async (_args, { ask, call }) => {
        await ask(NAME)
        return call({ name: 'inner', args: { n: 1 } })
      },
    })
    const front = defineTool({
      ...{ name: 'front', description: 'Calls the wizard.', args: Type.Object({}), nested: true as const },
      execute: (_args, { call }) => call({ name: 'wizard' }),
    })
    const { client } = await connect(serveMcp([front, wizard, inner('write')], INFO), { answers: [{ name: 'Ann' }] })
    expect((await client.callTool({ name: 'front' })).content).toEqual([{ type: 'text', text: '2' }])
    expect(made).toHaveBeenCalledTimes(1)
  })

  it('that calls itself without end is refused', async () => {
    const endless = defineTool({
      ...{ name: 'endless', description: 'Calls itself.', args: Type.Object({}), nested: true as const },
      execute: (_, context) => context.call({ name: 'endless' }),
    })
    const { client } = await connect(serveMcp([endless], INFO))
    expect(await client.callTool({ name: 'endless' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('4 levels deep') }],
    })
  })
})

it('a tool with calls or questions has a deadline', async () => {
  const hangs = defineTool({
    ...{ name: 'hangs', description: 'Waits.', args: Type.Object({}), nested: true as const, timeoutMs: 20 },
    execute: () => new Promise<never>(() => {}),
  })
  const { client } = await connect(serveMcp([hangs], INFO))
  expect(await client.callTool({ name: 'hangs' })).toMatchObject({
    isError: true,
    content: [
      { text: expect.stringContaining('"hangs" did not finish within 20 ms. Calls that it had already made are not undone.') },
    ],
  })
})
