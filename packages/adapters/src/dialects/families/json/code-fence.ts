/** Handles the code fence that some models write around the JSON of a call. */
import { afterSpace, MarkerSet } from '../../engine/marker.ts'
import { isSpace, type Reading, type TextInput } from '../../engine/text-input.ts'

const FENCES = ['```', '~~~']
const FENCE = new MarkerSet({ fence: FENCES })
const FENCE_END = new MarkerSet({ fence: afterSpace(FENCES) })

/** Returns true if a JSON object, or a code fence around one, may start here. */
export function* isAtJson(input: TextInput): Reading<boolean> {
  return (yield* input.peek()) === '{' || (yield* input.peek(FENCE)) !== undefined
}

/** Consumes the beginning of a code fence and its language. Returns false if there is no fence. */
export function* takeFence(input: TextInput): Reading<boolean> {
  if ((yield* input.match(FENCE)) === undefined) return false
  yield* input.takeWhile((code) => !isSpace(code) && code !== OPENING_BRACE && code !== OPENING_BRACKET, LONGEST_LANGUAGE)
  yield* input.skipSpace()
  return true
}

/** Consumes the end of a code fence and the white space before it. Returns false if there is none. */
export function* takeFenceEnd(input: TextInput): Reading<boolean> {
  return (yield* input.match(FENCE_END)) !== undefined
}

/** Removes the code fence around a JSON object, if there is one. */
export function withoutFence(text: string): string {
  const body = text.trim()
  const open = /^(?:```|~~~)[a-z]{0,16}\s*(?=\{)/i.exec(body)?.[0]
  const isFenced = open !== undefined && body.endsWith(open.slice(0, 3))
  return isFenced ? body.slice(open.length, -3) : text
}

const LONGEST_LANGUAGE = 16
const OPENING_BRACE = 0x7b
const OPENING_BRACKET = 0x5b
