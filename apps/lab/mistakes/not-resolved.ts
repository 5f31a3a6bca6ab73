import { createRegistry } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { z } from 'zod'

const args = z.object({ city: z.string() })
const getWeather = defineTool({ name: 'get_weather', description: 'Weather.', args, execute: ({ city }) => city })
const webSearch = defineTool({ name: 'web_search', description: 'Searches.', args, execute: ({ city }) => city })
const registry = createRegistry([getWeather, webSearch])

const tools = await registry.resolve('get_weather')
tools.get('web_search')
