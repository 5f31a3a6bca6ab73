/** An agent whose registry the provider searches, if it can. */
import { type LMRequest, textAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { createRegistry, lazy } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { expect, it, vi } from 'vitest'
import { pause, payments } from '../../test/approval/payments.ts'
import { hermes } from '../../test/hermes.ts'
import { MemorySteps } from '../../test/steps.ts'
import { answer, call, getWeather } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'

const namesOf = ({ tools, search }: LMRequest) => ({
  tools: tools?.map((spec) => spec.function.name),
  searched: search?.tools.map((spec) => spec.function.name),
  instead: search?.instead,
})

function library() {
  const { pay, paid } = payments()
  const load = vi.fn(async () => pay)
  const submit = defineTool({ name: 'submit', description: 'Mine.', args: Type.Object({}), execute: () => 1 })
  return { paid, load, registry: createRegistry([lazy('pay', load), getWeather, submit]) }
}

it('sends all tools of the registry to be searched, except reserved names and tools that the agent has', async () => {
  const { load, registry } = library()
  const lm = scriptedLM([{ text: 'Done.' }])
  const search = { registry, via: 'provider' as const }
  await using agent = await createReactAgent({ lm, tools: [getWeather], search, signature: answer })
  expect(load).toHaveBeenCalledTimes(1)
  await agent.run({ question: '?' })
  expect(lm.requests.map(namesOf)).toEqual([
    { tools: ['get_weather', 'search_tools', 'call_tool'], searched: ['pay'], instead: ['search_tools', 'call_tool'] },
  ])
})

it('runs what the provider found like any tool: with approval, after a pause, and from a journal', async () => {
  const { paid, registry } = library()
  const steps = new MemorySteps()
  const script = [{ toolCalls: [call('pay', { amount: 5 }, 'p1')] }]
  const open = (replies: Parameters<typeof scriptedLM>[0]) =>
    createReactAgent({ lm: scriptedLM(replies), tools: [], search: { registry, via: 'provider' }, signature: answer })
  const paused = await pause((await open(script)).run({ question: '?' }, { steps, id: 'r' }))
  expect(JSON.parse(steps.records.get('model-1') ?? '')).toMatchObject({ approvals: ['pay'] })
  const second = await open([{ text: 'Paid.' }])
  await second.resume(paused, { p1: true }, { steps })
  expect(paid).toEqual([{ amount: 5, key: 'r/p1' }])
})

it('can also be searched by the agent, for a model whose provider does not search', async () => {
  const { paid, registry } = library()
  const lm = scriptedLM([
    { toolCalls: [call('search_tools', { query: 'pay an amount' }, 's')] },
    { toolCalls: [call('call_tool', { name: 'pay', arguments: { amount: 5 } }, 'p')] },
    { text: 'Paid.' },
  ])
  const search = { registry, via: 'provider' as const }
  await using agent = await createReactAgent({ lm, tools: [], search, signature: answer })
  await agent.run({ question: '?' }, { approve: () => true })
  expect(paid).toHaveLength(1)
})

it('sends no tools to be searched in text mode', async () => {
  const { registry } = library()
  const lm = scriptedLM([{ text: 'Done.' }])
  const options = { lm, adapter: textAdapter(hermes), tools: [], signature: answer }
  await using agent = await createReactAgent({ ...options, search: { registry, via: 'provider' } })
  await agent.run({ question: '?' })
  expect(lm.requests[0]).not.toHaveProperty('search')
})

it('fails when a tool of the registry cannot be loaded, and closes the sources of the agent', async () => {
  const close = vi.fn(async () => {})
  const source = { name: 'source', tools: () => [getWeather], open: async () => {}, close }
  const registry = createRegistry([lazy('broken', () => Promise.reject(new Error('offline')))])
  const search = { registry, via: 'provider' as const }
  const creating = createReactAgent({ lm: scriptedLM([]), tools: [source], search, signature: answer })
  await expect(creating).rejects.toMatchObject({ name: 'ToolResolutionError' })
  expect(close).toHaveBeenCalledTimes(1)
})

it('checks the option', async () => {
  const search = { registry: createRegistry([]), via: 'anthropic' }
  const creating = createReactAgent({ lm: scriptedLM([]), tools: [], search: search as never, signature: answer })
  await expect(creating).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining('search.via must be "own" or "provider"'),
  })
})
