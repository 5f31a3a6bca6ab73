/** Test helpers: tools and replies for the selector. */
import { defineTool } from '@x/tool-core'
import { Type } from 'typebox'

export const getWeather = defineTool({
  name: 'get_weather',
  description: 'Current weather for a city.',
  args: Type.Object({
    city: Type.String({ description: 'City name' }),
    days: Type.Optional(Type.Integer({ description: 'How many days', minimum: 1 })),
  }),
  execute: neverRun,
})

export const setReminder = defineTool({
  name: 'set_reminder',
  description: 'Set a reminder',
  args: Type.Object({ title: Type.String(), loud: Type.Boolean({ default: false }) }),
  execute: neverRun,
})

export const now = defineTool({ name: 'now', description: 'The time.', args: Type.Object({}), execute: neverRun })

/** Returns a reply in the format of text mode. */
export function selection(selectedTools: string, toolArguments: string | object = '', reasoning = 'Because.'): { text: string } {
  const args = typeof toolArguments === 'string' ? toolArguments : JSON.stringify(toolArguments)
  return {
    text: [
      ...(reasoning === '' ? [] : ['[[ ## reasoning ## ]]', reasoning]),
      ...['[[ ## selected_tools ## ]]', selectedTools, '[[ ## tool_arguments ## ]]', args],
    ].join('\n'),
  }
}

function neverRun(): never {
  throw new Error('A selector runs nothing.')
}
