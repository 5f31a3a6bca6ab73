/** AI SDK with JSON Schema tools: no conversion at each step, and no validation of the arguments. */
import { jsonSchema } from 'ai'
import { createAiLoop } from './ai-sdk.mjs'

export function createLoop(options) {
  return createAiLoop(options, ({ parameters }) => jsonSchema(parameters))
}
