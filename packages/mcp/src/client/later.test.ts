/** A server's questions pause a run. Another process, with another source, sends the answers. */

import { inputRequired } from '@modelcontextprotocol/server'
import { defineSignature } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { type AgentError, agentTool, createReactAgent, type PausedRun } from '@x/react-agent'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { connect } from '../../test/calls.ts'
import { type ServedTool, statelessServer } from '../../test/stateless-server.ts'

const signature = defineSignature('question -> answer')
const FORM = {
  type: 'object',
  properties: { size: { type: 'string', enum: ['small', 'large'] }, gift: { type: 'boolean', default: false } },
  required: ['size'],
}
const CALLS = [{ toolCalls: [{ id: 'c1', name: 'shop_order', arguments: '{"item":"tea"}' }] }, { text: 'Done.' }]

/** Creates a tool of a server that asks these questions, one round after the other. */
function asking(...rounds: readonly (readonly [requests: Record<string, unknown>, requestState?: string])[]) {
  const seen: unknown[] = []
  const tool: ServedTool = {
    name: 'order',
    inputSchema: { type: 'object', properties: { item: { type: 'string' } } },
    call(args, { mcpReq }) {
      const state = mcpReq.requestState?.()
      seen.push({
        args,
        ...(mcpReq.inputResponses && { responses: mcpReq.inputResponses }),
        ...(state !== undefined && { state }),
      })
      const [inputRequests, requestState] = rounds[seen.length - 1] ?? []
      if (inputRequests === undefined) return { content: [{ type: 'text', text: 'ordered' }] }
      return inputRequired({ inputRequests, ...(requestState !== undefined && { requestState }) } as never)
    },
  }
  return { seen, server: statelessServer([tool]) }
}

const form = (message: string, schema: object = FORM) => inputRequired.elicit({ message, requestedSchema: schema as never })

/** Creates an agent as it would be in a separate process. */
async function agentOf({ server }: { server: ReturnType<typeof statelessServer> }, script: readonly object[] = CALLS) {
  const { source, reports } = connect(server.server)
  const agent = await createReactAgent({ lm: scriptedLM(script), tools: [source], signature })
  return { agent, reports }
}

async function pausedBy(run: Promise<unknown>): Promise<PausedRun> {
  const error = (await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )) as AgentError | undefined
  if (error?.paused === undefined) throw error ?? new Error('The run did not pause.')
  return JSON.parse(JSON.stringify(error.paused)) as PausedRun
}

function resultOf({ trajectory }: { trajectory: { messages: readonly { role: string; content: string }[] } }) {
  return trajectory.messages.findLast(({ role }) => role === 'tool')?.content
}

describe('a question of a stateless server to an agent without `elicit`', () => {
  it('pauses the run with a typed form, and the answer continues the call without making it again', async () => {
    const shop = asking([{ size: form('Which size?') }, 'opaque:1'])
    const { agent, reports } = await agentOf(shop)
    const paused = await pausedBy(agent.run({ question: 'Tea?' }))
    expect(paused.pending).toEqual([
      expect.objectContaining({
        callId: 'c1.size',
        parentCallId: 'c1',
        name: 'shop_order',
        needs: 'input',
        message: 'Which size?',
        schema: expect.objectContaining(FORM),
      }),
    ])
    const other = await agentOf(shop, CALLS.slice(1))
    const result = await other.agent.resume(paused, { 'c1.size': { type: 'input', input: { size: 'large' } } })
    expect(resultOf(result)).toBe('ordered')
    expect(shop.seen).toEqual([
      { args: { item: 'tea' } },
      {
        args: { item: 'tea' },
        responses: { size: { action: 'accept', content: { size: 'large', gift: false } } },
        state: 'opaque:1',
      },
    ])
    expect([...reports, ...other.reports]).toEqual([])
  })

  it('is declined if the user rejects it', async () => {
    const shop = asking([{ size: form('Which size?') }])
    const paused = await pausedBy((await agentOf(shop)).agent.run({ question: 'Tea?' }))
    const { agent } = await agentOf(shop, CALLS.slice(1))
    await agent.resume(paused, { 'c1.size': { type: 'reject' } })
    expect(shop.seen[1]).toEqual({ args: { item: 'tea' }, responses: { size: { action: 'decline' } } })
  })

  it('refuses an answer that does not fit the form, and can then be answered', async () => {
    const shop = asking([{ size: form('Which size?') }])
    const paused = await pausedBy((await agentOf(shop)).agent.run({ question: 'Tea?' }))
    const { agent } = await agentOf(shop, CALLS.slice(1))
    const wrong = agent.resume(paused, { 'c1.size': { type: 'input', input: { size: 'huge' } } })
    await expect(wrong).rejects.toMatchObject({ code: 'approval_invalid' })
    expect(shop.seen).toHaveLength(1)
    await agent.resume(paused, { 'c1.size': { type: 'input', input: { size: 'small' } } })
    expect(shop.seen).toHaveLength(2)
  })

  it('may be followed by further rounds, each of which pauses the run', async () => {
    const shop = asking([{ size: form('Which size?') }, 's1'], [{ size: form('Sure?') }, 's2'])
    const first = await pausedBy((await agentOf(shop)).agent.run({ question: 'Tea?' }))
    const again = (await agentOf(shop)).agent.resume(first, { 'c1.size': { type: 'input', input: { size: 'large' } } })
    const second = await pausedBy(again)
    expect(second.pending).toMatchObject([{ callId: 'c1.2.size', parentCallId: 'c1', message: 'Sure?' }])
    const { agent } = await agentOf(shop, CALLS.slice(1))
    const result = await agent.resume(second, { 'c1.2.size': { type: 'input', input: { size: 'small', gift: true } } })
    expect(resultOf(result)).toBe('ordered')
    expect(shop.seen.map((call) => (call as { state?: string }).state)).toEqual([undefined, 's1', 's2'])
  })

  it('may be asked together with others, and waits for all of them', async () => {
    const shop = asking([{ one: form('One?'), 'not a word': form('Two?') }])
    const paused = await pausedBy((await agentOf(shop)).agent.run({ question: 'Tea?' }))
    expect(paused.pending.map(({ callId, message }) => [callId, message])).toEqual([
      ['c1.input_1', 'One?'],
      ['c1.input_2', 'Two?'],
    ])
    const half = (await agentOf(shop)).agent.resume(paused, { 'c1.input_2': { type: 'input', input: { size: 'large' } } })
    const rest = await pausedBy(half)
    expect(rest.pending.map(({ callId }) => callId)).toEqual(['c1.input_1'])
    const { agent } = await agentOf(shop, CALLS.slice(1))
    await agent.resume(rest, { 'c1.input_1': { type: 'reject' } })
    expect(shop.seen[1]).toMatchObject({
      responses: { one: { action: 'decline' }, 'not a word': { action: 'accept', content: { size: 'large', gift: false } } },
    })
  })

  it('about a page shows the host of the page, and needs no values', async () => {
    const url = 'https://bücher.example/login?x=1'
    const shop = asking([{ page: inputRequired.elicitUrl({ message: 'Sign in.', url }) }])
    const paused = await pausedBy((await agentOf(shop)).agent.run({ question: 'Tea?' }))
    expect(paused.pending[0]?.message).toBe(
      'Sign in.\nOpen this page on xn--bcher-kva.example, then continue: https://xn--bcher-kva.example/login?x=1',
    )
    const { agent } = await agentOf(shop, CALLS.slice(1))
    await agent.resume(paused, { 'c1.page': { type: 'input', input: {} } })
    expect(shop.seen[1]).toMatchObject({ responses: { page: { action: 'accept' } } })
  })

  it('is answered by `approve` while the run continues', async () => {
    const shop = asking([{ size: form('Which size?') }])
    const { agent } = await agentOf(shop)
    const approve = async () => ({ type: 'input', input: { size: 'small' } }) as const
    expect(resultOf(await agent.run({ question: 'Tea?' }, { approve }))).toBe('ordered')
  })

  it.each([
    ['an invalid form', { size: form('Size?', { type: 'object', properties: { size: { type: 'string', pattern: '(' } } }) }],
    ['too long a question', { size: form('x'.repeat(300_000)) }],
    [
      'more than ten questions',
      Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`q${n}`, form('?')])),
      'asked 11 questions at once',
    ],
  ])('with %s fails the call', async (_, requests, text = 'asked for input') => {
    const shop = asking([requests])
    const { agent } = await agentOf(shop)
    expect(resultOf(await agent.run({ question: 'Tea?' }))).toContain(text)
    expect(shop.seen).toHaveLength(1)
  })

  it('ends a call after ten rounds', async () => {
    const shop = asking(...Array.from({ length: 12 }, () => [{ size: form('Size?') }] as const))
    const approve = async () => ({ type: 'input', input: { size: 'small' } }) as const
    const { agent } = await agentOf(shop)
    expect(resultOf(await agent.run({ question: 'Tea?' }, { approve }))).toContain('The limit is 10 rounds per call.')
    // The tenth answer is sent too.
    expect(shop.seen).toHaveLength(11)
  })

  it('pauses the outer run if an agent inside it makes the call', async () => {
    const shop = asking([{ size: form('Which size?') }, 'opaque:1'])
    const manager = async (clerk: readonly object[], script: readonly object[]) => {
      const { agent } = await agentOf(shop, clerk)
      const ask = agentTool(agent, { name: 'ask', description: 'Asks the clerk.' })
      return createReactAgent({ lm: scriptedLM(script), tools: [ask], signature })
    }
    const script = [{ toolCalls: [{ id: 'a1', name: 'ask', arguments: '{"question":"Tea?"}' }] }, { text: 'Done.' }]
    const paused = await pausedBy((await manager(CALLS, script)).run({ question: '?' }))
    expect(paused.pending).toMatchObject([{ callId: 'a1.c1.size', parentCallId: 'a1.c1', needs: 'input' }])
    const other = await manager(CALLS.slice(1), script.slice(1))
    await other.resume(paused, { 'a1.c1.size': { type: 'input', input: { size: 'large' } } })
    expect(shop.seen).toHaveLength(2)
  })

  it('is declined inside a tool that makes calls, and reported', async () => {
    const shop = asking([{ size: form('Which size?') }])
    const { source, reports } = connect(shop.server.server)
    const twice = defineTool({
      name: 'twice',
      description: 'Orders.',
      args: Type.Object({}),
      nested: ['shop_*'],
      execute: async (_, context) => JSON.stringify(await context.call({ name: 'shop_order', args: { item: 'tea' } })),
    })
    const script = [{ toolCalls: [{ id: 't1', name: 'twice', arguments: '{}' }] }, { text: 'Done.' }]
    const agent = await createReactAgent({ lm: scriptedLM(script), tools: [source, twice], signature })
    expect(resultOf(await agent.run({ question: 'Tea?' }))).toContain('ordered')
    expect(shop.seen[1]).toMatchObject({ responses: { size: { action: 'decline' } } })
    expect(reports).toMatchObject([{ code: 'question_declined' }])
  })
})
