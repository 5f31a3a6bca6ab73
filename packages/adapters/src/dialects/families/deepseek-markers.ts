/** DeepSeek's markers, in all the spellings that its models use. */

/**
 * `tool▁calls▁begin` between its brackets, with the two odd characters of the vocabulary first, and then with what looks like them.
 */
export function deepseekMarker(words: string): readonly string[] {
  return BARS.flatMap((bar) => JOINTS.map((joint) => `<${bar}${words.replaceAll(' ', joint)}${bar}>`))
}

const BARS = ['｜', '|']
const JOINTS = ['▁', '_', ' ', '\\_']

/** What frames the results of calls, and ends a turn: none of it is text. */
export const DEEPSEEK_IGNORED: readonly string[] = [
  'tool outputs begin',
  'tool outputs end',
  'tool output begin',
  'tool output end',
  'tool calls end',
  'tool call end',
  'end of sentence',
].flatMap(deepseekMarker)
