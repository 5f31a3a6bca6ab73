import { defineTool } from '@x/tool-core'

defineTool({
  name: 'get_weather',
  description: 'Weather of a city.',
  args: { type: 'object', properties: { city: { type: 'string' } } },
  execute: () => 'sunny',
})
