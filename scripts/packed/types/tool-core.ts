/** Wrong uses of @x/tool-core, each of which must be a type error. */
import { type ArgsOf, defineTool } from '@x/tool-core'
import { defineTool as defineStandardTool } from '@x/tool-core/standard-schema'
import * as Type from 'typebox'

const weather = defineTool({
  name: 'get_weather',
  description: 'Weather.',
  args: Type.Object({ city: Type.String() }),
  // @ts-expect-error a city has no days
  execute: ({ city }) => city.days,
})
// @ts-expect-error a city is text
export const args: ArgsOf<typeof weather> = { city: 1 }
// @ts-expect-error text isn't a JSON Schema
defineTool({ name: 'x', description: 'X.', args: 'city', execute: () => 1 })
// @ts-expect-error a TypeBox schema alone isn't a Standard Schema
defineStandardTool({ name: 'x', description: 'X.', args: Type.Object({}), execute: () => 1 })
