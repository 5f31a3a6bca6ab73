/** Plain tools with different schemas, called by a program and by a model. */
import { callTool, defineTool, dispatch, toSpec } from '@x/tool-core'
import { Type } from 'typebox'

const address = Type.Object({ street: Type.String(), city: Type.String(), zip: Type.Optional(Type.String()) })
const getWeather = defineTool({
  name: 'get_weather',
  description: 'Current weather.',
  effect: 'read',
  args: Type.Object({ city: Type.String(), unit: Type.Enum(['celsius', 'fahrenheit'], { default: 'celsius' }) }),
  execute: ({ city, unit }) => ({ city, degrees: unit === 'celsius' ? 21 : 70 }),
})
const sendParcel = defineTool({
  name: 'send_parcel',
  description: 'Sends a parcel.',
  effect: 'write',
  args: Type.Object({ to: address, items: Type.Array(Type.Object({ sku: Type.String(), count: Type.Integer({ minimum: 1 }) })) }),
  execute: ({ to, items }) => ({ city: to.city, count: items.length }),
})
const pickColor = defineTool({
  name: 'pick_color',
  description: 'Picks a colour.',
  args: Type.Object({
    by: Type.Union([Type.Literal('name'), Type.Literal('code')]),
    value: Type.Union([Type.String(), Type.Number()]),
  }),
  execute: ({ by, value }) => `${by}: ${value}`,
})
const book = defineTool({
  name: 'book',
  description: 'Books a table.',
  args: Type.Object({
    at: Type.String({ format: 'date-time' }),
    guests: Type.Integer(),
    notes: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
  execute: async ({ at, guests, notes }) => ({ at, guests, notes: Object.keys(notes ?? {}) }),
})
const whoAmI = defineTool({
  name: 'who_am_i',
  description: 'Names the user.',
  args: Type.Object({}),
  context: Type.Object({ userId: Type.String() }),
  execute: (_, { values }) => values.userId,
})

export const all = [getWeather, sendParcel, pickColor, book, whoAmI]
export const specs = all.map(toSpec)
export const weather = await getWeather.execute({ city: 'Oslo', unit: 'celsius' })
export const sent = await callTool(sendParcel, { id: '1', name: 'send_parcel', args: {} })
export const city: string | undefined = sent.ok ? sent.output.city : undefined
export const dispatched = await dispatch(new Map(all.map((tool) => [tool.name, tool])), { id: '2', name: 'book', args: {} })
