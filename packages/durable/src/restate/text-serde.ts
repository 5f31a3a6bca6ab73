/** Passes texts to the server unchanged. */
import type { Serde } from '@restatedev/restate-sdk'

export const textSerde: Serde<string> = {
  contentType: 'application/json',
  serialize: (text) => new TextEncoder().encode(text),
  deserialize: (bytes) => new TextDecoder().decode(bytes),
}
