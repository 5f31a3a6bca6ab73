import { chatAdapter } from '@x/adapters'
import { scriptedLM } from '@x/lm/testing'
import { createRegistry, lazy } from '@x/registry'
import { mockRegistry } from '@x/registry/testing'
import { defineTool, isTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { answer, getWeather } from '../../test/tools.ts'
import { createReactAgent } from '../react-agent.ts'

describe("an agent's tools", () => {
  it('contain the tools themselves, whatever the list contains in their place', async () => {
    const convert = defineTool({ name: 'convert', description: 'Convert.', args: Type.Object({}), execute: () => 1 })
    const registry = createRegistry([lazy('convert', async () => ({ default: convert }))])
    await using agent = await createReactAgent({
      lm: scriptedLM([]),
      tools: [getWeather, registry.tool('convert')],
      signature: answer,
    })
    expect([...agent.tools.values()].map((tool) => isTool(tool) && tool.name)).toEqual(['get_weather', 'convert'])
    expect(agent.tools.get('get_weather')).toBe(getWeather)
  })

  it('are those of the list when it was passed, and the options may be those of a class', async () => {
    class Options {
      name = 'first'
      tools = [getWeather]
      signature = answer
      get lm() {
        return scriptedLM([])
      }
      get maxSteps() {
        return 3
      }
      get search() {
        return createRegistry([])
      }
    }
    const options = new Options()
    const creating = createReactAgent(options)
    options.name = 'second'
    options.tools.pop()
    await using agent = await creating
    expect([agent.name, agent.hasSearch, ...agent.tools.keys()]).toEqual(['first', true, 'get_weather'])
  })

  const adapter = {
    ...chatAdapter,
    toolCalling: 'text' as const,
    describeOutputs() {
      throw new Error('No outputs.')
    },
  }
  it.each([
    ['a name is reserved', 'submit', {}, { code: 'reserved_name' }],
    ['the adapter fails', 'convert', { adapter }, { message: 'No outputs.' }],
  ])('are closed if %s, and the first error is the one that is thrown', async (_, name, options, error) => {
    const close = vi.fn(() => Promise.reject(new Error('Not closed.')))
    const tool = defineTool({ name, description: 'Convert.', args: Type.Object({}), execute: () => 1 })
    const source = { name: 'source', tools: () => [tool], open: async () => {}, close }
    const creating = createReactAgent({ lm: scriptedLM([]), tools: [source], signature: answer, ...options })
    await expect(creating).rejects.toMatchObject(error)
    expect(close).toHaveBeenCalledTimes(1)
  })

  it("T1-15: contain the fakes of a test, and can't be created without one", async () => {
    const create = (tools: Parameters<typeof mockRegistry>[0]) =>
      createReactAgent({ lm: scriptedLM([]), tools: mockRegistry(tools), signature: answer })
    await using agent = await create({ get_weather: getWeather })
    expect(agent.tools.get('get_weather')).toBe(getWeather)
    await expect(create({ get_weather: new Error('offline') })).rejects.toMatchObject({ failures: [{ code: 'load_failed' }] })
  })
})
