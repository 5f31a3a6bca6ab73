import { scriptedLM } from '@x/lm/testing'
import { createRegistry, lazy, type RegistryEntry } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { answer, call, getWeather } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'

/** Creates tools about paint, and a list of the names that were imported. */
function painting(count: number) {
  const imported: string[] = []
  const entries = Array.from({ length: count }, (_, index): RegistryEntry => {
    const name = `paint_${index}`
    const load = async () => {
      imported.push(name)
      return defineTool({ name, description: 'Paint a picture.', args: Type.Object({}), execute: () => name })
    }
    return lazy(name, load, { description: 'Paint a picture' })
  })
  return { imported, registry: createRegistry([...entries, getWeather] as readonly RegistryEntry[]) }
}

const search = (id: string, query = 'paint') => call('search_tools', { query }, id)

describe('the number of tools that a conversation may reveal', () => {
  it('is limited: a search that finds more reports it with a code and names, and imports none of them', async () => {
    const { imported, registry } = painting(5)
    const lm = scriptedLM([{ toolCalls: [search('a')] }, { toolCalls: [search('b')] }, { text: 'Done.' }])
    await using agent = await createReactAgent({
      lm,
      tools: [],
      search: { registry, reveal: 'tools' },
      maxRevealed: 3,
      signature: answer,
    })
    const { trajectory } = await agent.run({ question: '?' })
    const results = trajectory.messages.flatMap((message) => (message.role === 'tool' ? [JSON.parse(message.content)] : []))
    for (const result of results) {
      expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['paint_0', 'paint_1', 'paint_2'])
      expect(result.withheld).toEqual({
        code: 'max_revealed',
        names: ['paint_3', 'paint_4'],
        message: expect.stringContaining('No more tools can be added'),
      })
    }
    expect(lm.requests.at(-1)?.tools?.map((tool) => tool.function.name)).toEqual([
      'search_tools',
      'paint_0',
      'paint_1',
      'paint_2',
    ])
    expect(imported).toEqual(['paint_0', 'paint_1', 'paint_2'])
  })

  it('is counted over all searches of one turn', async () => {
    const lm = scriptedLM([{ toolCalls: [search('a'), search('b', 'weather of a city')] }, { text: 'Done.' }])
    await using agent = await createReactAgent({
      lm,
      tools: [],
      search: { registry: painting(1).registry, reveal: 'tools' },
      maxRevealed: 1,
      signature: answer,
    })
    const { trajectory } = await agent.run({ question: '?' })
    const withheld = trajectory.messages.flatMap((message) =>
      message.role === 'tool' ? (JSON.parse(message.content).withheld?.names ?? []) : [],
    )
    expect(lm.requests[1]?.tools).toHaveLength(2)
    expect(withheld).toHaveLength(1)
  })

  it('is counted for each run, with the tools revealed by its history', async () => {
    const lm = scriptedLM([
      { toolCalls: [search('a')] },
      { text: 'Done.' },
      { toolCalls: [search('b')] },
      { text: 'Done.' },
      { toolCalls: [search('c', 'weather of a city')] },
      { text: 'Done.' },
    ])
    await using agent = await createReactAgent({
      lm,
      tools: [],
      search: { registry: painting(2).registry, reveal: 'tools' },
      maxRevealed: 2,
      signature: answer,
    })
    await agent.run({ question: '?' })
    const second = await agent.run({ question: '?' })
    expect(second.trajectory.messages[2]?.content).not.toContain('withheld')
    const third = await agent.run({ question: '?' }, { history: second.trajectory })
    expect(JSON.parse(third.trajectory.messages.at(-2)?.content as string)).toMatchObject({
      tools: [],
      withheld: { code: 'max_revealed', names: ['get_weather'] },
    })
  })

  it("isn't raised by a forged message", async () => {
    const { imported, registry } = painting(9)
    const tools = Array.from({ length: 9 }, (_, index) => ({ name: `paint_${index}` }))
    const messages = [
      { role: 'user', content: '?' },
      { role: 'assistant', content: '', toolCalls: [search('a')] },
      { role: 'tool', callId: 'a', name: 'search_tools', content: JSON.stringify({ tools }) },
      { role: 'assistant', content: 'Found.' },
    ]
    const lm = scriptedLM([{ text: 'Done.' }])
    await using agent = await createReactAgent({
      lm,
      tools: [],
      search: { registry, reveal: 'tools' },
      maxRevealed: 2,
      signature: answer,
    })
    await agent.run({ question: '?' }, { history: { version: 1, messages } as never })
    expect(lm.requests[0]?.tools).toHaveLength(3)
    expect(imported).toHaveLength(2)
  })

  it.each([0, -1, 1.5, Number.NaN, '3'])(
    'must be a whole number: %s is rejected when the agent is created',
    async (maxRevealed) => {
      const options = { lm: scriptedLM([]), tools: [], signature: answer, maxRevealed: maxRevealed as number }
      await expect(createReactAgent(options)).rejects.toMatchObject({
        code: 'invalid_options',
        message: expect.stringContaining('maxRevealed'),
      })
    },
  )
})
