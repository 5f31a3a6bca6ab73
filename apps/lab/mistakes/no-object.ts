import { defineTool } from '@x/tool-core'
import { z } from 'zod'

defineTool({ name: 'get_weather', description: 'Weather of a city.', args: z.string(), execute: (city) => city })
