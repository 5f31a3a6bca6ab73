/** No message that was sent changes while a run continues, in any process. A provider's prompt cache depends on it. */
import { type LM, type LMRequest, textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { createRegistry } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { pause, payments } from '../../test/approval/payments.ts'
import { hermes } from '../../test/hermes.ts'
import { answer, call, getWeather } from '../../test/tools.ts'
import type { ReactAgentOptions } from '../options.ts'
import { createReactAgent } from '../react-agent.ts'

const list = defineTool({ name: 'list', description: 'List all.', args: Type.Object({}), execute: () => 'x'.repeat(250) })
const written = (name: string, args: object = {}) => ({
  text: `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
})
const native = (name: string, args: object = {}) => ({ toolCalls: [call(name, args, '')] })

function sentBy(requests: readonly LMRequest[]): readonly string[] {
  return requests.map(({ messages, tools }) => JSON.stringify([tools, ...messages]).slice(0, -1))
}

function expectToGrow(sent: readonly string[]) {
  for (const [index, bytes] of sent.slice(1).entries()) expect(bytes.startsWith(sent[index] as string)).toBe(true)
}

const MODES = [
  ['text mode', written, { adapter: textAdapter(hermes) }, 'tools'],
  ['text mode', written, { adapter: textAdapter(hermes) }, 'call_tool'],
  ['native mode', native, {}, 'call_tool'],
] as const

describe.each(MODES)('in %s, with reveal %4$s', (_, write, mode, reveal) => {
  const create = (lm: LM, tools: ReactAgentOptions<typeof answer>['tools'], library: ReturnType<typeof payments>['pay']) =>
    createReactAgent({
      ...mode,
      lm,
      tools,
      search: { registry: createRegistry([library, getWeather]), reveal },
      signature: answer,
      maxResultLength: 100,
    })

  it('a long result changes no message that was sent', async () => {
    const lm = scriptedLM([write('list'), write('list'), { text: 'Done.' }])
    const agent = await create(lm, [list], payments().pay)
    await agent.run({ question: '?' })
    expectToGrow(sentBy(lm.requests))
  })

  it('a run that is resumed sends the same messages', async () => {
    const { pay } = payments()
    const script = [
      write('search_tools', { query: 'weather of a city' }),
      write('list'),
      write('search_tools', { query: 'pay an amount' }),
      write('list'),
      write('pay', { amount: 5 }),
    ]
    const before = scriptedLM(script)
    const paused = await pause((await create(before, [list], pay)).run({ question: '?' }))
    const after = scriptedLM([write('list'), { text: 'Done.' }])
    const resumed = await create(after, [list], pay)
    await resumed.resume(paused, { [paused.pending[0]?.callId ?? '']: true })
    expectToGrow([...sentBy(before.requests), ...sentBy(after.requests)])
  })

  it('a resumed run whose oldest turns are left out sends the same messages', async () => {
    const { pay } = payments()
    const usage = { inputTokens: 100, outputTokens: 10 }
    const script = [
      write('search_tools', { query: 'weather of a city' }),
      write('search_tools', { query: 'pay an amount' }),
      { ...write('list'), usage },
      write('list'),
      write('pay', { amount: 5 }),
    ]
    const options = { contextWindow: { maxTokens: 50 } }
    const open = (lm: LM) =>
      createReactAgent({
        ...mode,
        ...options,
        lm,
        tools: [list],
        search: { registry: createRegistry([pay, getWeather]), reveal },
        signature: answer,
        maxResultLength: 100,
      })
    const before = scriptedLM(script)
    const paused = await pause((await open(before)).run({ question: '?' }))
    expect(paused.forgotten).toHaveLength(1)
    const after = scriptedLM([{ text: 'Done.' }])
    await (await open(after)).resume(paused, { [paused.pending[0]?.callId ?? '']: true })
    expectToGrow([...sentBy(before.requests.slice(-2)), ...sentBy(after.requests)])
  })
})
