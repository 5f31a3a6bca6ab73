/** Tools and a task for the tests of this package. */
import { defineSignature } from '@x/adapters'
import { defineTool, type Effect } from '@x/tool-core'
import { Type } from 'typebox'

export const answer = defineSignature({
  instructions: 'Answer briefly.',
  inputs: { question: Type.String() },
  outputs: { answer: Type.String() },
})

export const report = defineSignature({
  instructions: 'Report the weather.',
  inputs: { question: Type.String() },
  outputs: { city: Type.String(), degrees: Type.Integer({ minimum: -100 }) },
})

export const getWeather = defineTool({
  name: 'get_weather',
  description: 'Current weather for a city.',
  args: Type.Object({ city: Type.String() }),
  execute: async ({ city }) => ({ city, degrees: 21 }),
})

/** A tool that notes when it starts and ends, and takes a while. */
export function noted(name: string, log: string[], effect?: Effect, ms = 10) {
  return defineTool({
    name,
    description: `The tool ${name}.`,
    args: Type.Object({}),
    effect,
    execute: async () => {
      log.push(`${name} starts`)
      await new Promise((resolve) => setTimeout(resolve, ms))
      log.push(`${name} ends`)
      return name
    },
  })
}

export function call(name: string, args: object | string = {}, id = `id_${name}`) {
  return { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
}
