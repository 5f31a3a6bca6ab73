/**
 * Reads the name of a channel, which follows its open marker. The name decides whether the channel contains reasoning or text.
 */
import { isSpace, type Reading, type TextInput } from './text-input.ts'

/** Channel names, in lower case. */
export interface Channels {
  readonly reasoning: readonly string[]
  readonly text: readonly string[]
}

export interface ChannelName {
  /** Kind of the channel. `none`: there is no name, or the word is part of the channel's content. */
  readonly kind: keyof Channels | 'none'
  /** The consumed text if it wasn't a name. Otherwise empty. */
  readonly text: string
}

const LONGEST = 32
const LESS_THAN = 0x3c

/**
 * Reads white space and a name. The name of a text channel must be alone on its line, because text may start with the same word.
 */
export function* readChannelName(input: TextInput, channels: Channels): Reading<ChannelName> {
  const space = yield* input.takeWhile(isSpace, LONGEST)
  const word = yield* input.takeWhile((code) => code !== LESS_THAN && !isSpace(code), LONGEST)
  const next = yield* input.peek()
  const name = word.toLowerCase()
  const isAlone = next === '' || next === '\n' || next === '\r' || next === '<'
  if (channels.reasoning.includes(name) && (isAlone || isSpace(next.charCodeAt(0)))) return { kind: 'reasoning', text: '' }
  if (channels.text.includes(name) && isAlone) return { kind: 'text', text: '' }
  return { kind: 'none', text: space + word }
}
