import { defineTool } from '@x/tool-core'
import { z } from 'zod'

defineTool({ name: 'get_weather', args: z.object({ city: z.string() }), execute: ({ city }) => city })
