/** TanStack AI with JSON Schema tools: no conversion at each step, and no validation of the arguments. */
import { createChatLoop } from './tanstack.mjs'

export function createLoop(options) {
  return createChatLoop(options, ({ parameters }) => parameters)
}
