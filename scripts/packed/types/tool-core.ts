/** Misuses of @x/tool-core. Each one must be a type error. */
import { type ArgsOf, defineTool, jsonSchema } from '@x/tool-core'
import { Type as SingleFileType } from '@x/tool-core/type'
import * as Type from 'typebox'

const weather = defineTool({
  name: 'get_weather',
  description: 'Weather.',
  args: Type.Object({ city: Type.String() }),
  // @ts-expect-error the schema has no property `days`
  execute: ({ city }) => city.days,
})
export const sameType: Type.TObject<{ city: Type.TString }> = SingleFileType.Object({ city: SingleFileType.String() })
// @ts-expect-error a number isn't text
export const otherType: Type.TString = SingleFileType.Number()
// @ts-expect-error a city is text
export const args: ArgsOf<typeof weather> = { city: 1 }
// @ts-expect-error a string isn't a JSON Schema
defineTool({ name: 'x', description: 'X.', args: 'city', execute: () => 1 })
// @ts-expect-error a JSON Schema must be wrapped in jsonSchema()
defineTool({ name: 'x', description: 'X.', args: { type: 'object' }, execute: () => 1 })
// @ts-expect-error a city is text
defineTool({ name: 'x', description: 'X.', args: jsonSchema<{ city: string }>({}), execute: ({ city }) => city.days })
