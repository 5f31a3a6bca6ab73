/** The name of a channel after its open marker. It selects reasoning or text. */
import { isSpace, type Reading, type TextInput } from './text-input.ts'

/** Names in lower case. */
export interface Channels {
  readonly reasoning: readonly string[]
  readonly text: readonly string[]
}

export interface ChannelName {
  /** `none`: the name is missing, or the word belongs to the text after it. */
  readonly kind: keyof Channels | 'none'
  /** The consumed text, if it isn't a name. */
  readonly text: string
}

const LONGEST = 32
const LESS_THAN = 0x3c

/** Takes a name and the white space around it. A name that text may start with must be alone on its line. */
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
