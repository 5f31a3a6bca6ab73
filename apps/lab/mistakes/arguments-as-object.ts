import { createRegistry } from '@x/registry'
import { defineTool } from '@x/tool-core'
import { z } from 'zod'

const args = z.object({ city: z.string() })
const getWeather = defineTool({ name: 'get_weather', description: 'Weather.', args, execute: ({ city }) => city })
const registry = createRegistry([getWeather])

void registry.execute({ id: 'call_1', name: 'get_weather', arguments: { city: 'Oslo' } })
