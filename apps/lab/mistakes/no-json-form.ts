import { defineTool } from '@x/tool-core'
import * as v from 'valibot'

defineTool({
  name: 'get_weather',
  description: 'Weather of a city.',
  args: v.object({ city: v.string() }),
  execute: ({ city }) => city,
})
