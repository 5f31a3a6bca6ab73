import { defineTool } from '@x/tool-core'
import { z } from 'zod'

defineTool({
  name: 'get_weather',
  description: 'Weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => city,
})
