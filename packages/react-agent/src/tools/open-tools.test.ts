import { scriptedLM } from '@x/lm/testing'
import { createRegistry, lazy } from '@x/registry'
import { mockRegistry } from '@x/registry/testing'
import { defineTool, isTool } from '@x/tool-core'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
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

  it("aren't affected by changes to the options after the call", async () => {
    const options = { name: 'first', lm: scriptedLM([]), tools: [getWeather], signature: answer }
    const creating = createReactAgent(options)
    options.name = 'second'
    options.tools.pop()
    await using agent = await creating
    expect([agent.name, ...agent.tools.keys()]).toEqual(['first', 'get_weather'])
  })

  it("T1-15: contain the fakes of a test, and can't be created without one", async () => {
    const create = (tools: Parameters<typeof mockRegistry>[0]) =>
      createReactAgent({ lm: scriptedLM([]), tools: mockRegistry(tools), signature: answer })
    await using agent = await create({ get_weather: getWeather })
    expect(agent.tools.get('get_weather')).toBe(getWeather)
    await expect(create({ get_weather: new Error('offline') })).rejects.toMatchObject({ failures: [{ code: 'load_failed' }] })
  })
})
