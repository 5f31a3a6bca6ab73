/** Every wire format that the lab measures, by its name. */
import {
  anthropicMessages,
  bedrockConverse,
  cohereV2,
  gemini,
  mistral,
  ollama,
  openaiChat,
  openaiResponses,
  type WireFormat,
} from '@x/adapters/wire'

export const WIRES: readonly WireFormat[] = [
  openaiChat,
  openaiResponses,
  mistral,
  cohereV2,
  ollama,
  anthropicMessages,
  bedrockConverse,
  gemini,
]

export function findWire(name: string): WireFormat {
  const wire = WIRES.find((candidate) => candidate.name === name)
  if (wire === undefined) throw new Error(`There is no wire format ${name}.`)
  return wire
}
