import { defineTool } from '@x/tool-core'
import { combine } from '@x/toolset'
import { z } from 'zod'

const args = z.object({ city: z.string() })
const one = defineTool({ name: 'get_weather', description: 'Weather.', args, execute: ({ city }) => city })
const other = defineTool({ name: 'get_weather', description: 'Forecast.', args, execute: ({ city }) => city })

combine(one, other)
