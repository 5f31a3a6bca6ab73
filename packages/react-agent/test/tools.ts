/** Test helpers: tools and a task. */
import { defineSignature } from '@x/adapters'
import { defineTool, type Effect } from '@x/tool-core'
import { Type } from 'typebox'
import { aTurn } from './clock.ts'

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

// Shared by all tools, because each schema would be compiled once more.
const NONE = Type.Object({})

/** Creates a tool that logs when it starts and ends. In between, it waits for one turn of the event loop, or for `work`. */
export function noted(name: string, log: string[], effect?: Effect, work: () => Promise<void> = aTurn) {
  return defineTool({
    name,
    description: `The tool ${name}.`,
    args: NONE,
    effect,
    execute: async () => {
      log.push(`${name} starts`)
      await work()
      log.push(`${name} ends`)
      return name
    },
  })
}

export function call(name: string, args: object | string = {}, id = `id_${name}`) {
  return { id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
}
