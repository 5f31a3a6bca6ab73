/** DeepSeek's markers, in all the spellings that its models use. */

import type { InventedResultOptions } from '../results/invented-result.ts'
import type { CallSectionsOptions } from './call-sections.ts'

/**
 * `tool▁calls▁begin` between its brackets, with the two odd characters of the vocabulary first, and then with what looks like them.
 */
function deepseekMarker(words: string): readonly string[] {
  return BARS.flatMap((bar) => JOINTS.map((joint) => `<${bar}${words.replaceAll(' ', joint)}${bar}>`))
}

const BARS = ['｜', '|']
const JOINTS = ['▁', '_', ' ', '\\_']

/** What ends something, and isn't text. */
export const DEEPSEEK_ENDS: readonly string[] = [
  'tool outputs end',
  'tool output end',
  'tool calls end',
  'tool call end',
  'end of sentence',
].flatMap(deepseekMarker)

/** Several results in a row have one frame. */
export const DEEPSEEK_OUTPUTS: InventedResultOptions = {
  open: ['tool outputs begin', 'tool output begin'].flatMap(deepseekMarker),
  inner: deepseekMarker('tool output begin'),
  close: ['tool outputs end', 'tool output end'].flatMap(deepseekMarker),
}

/** For V3 and V3.1, which differ in the position of the name. */
export const DEEPSEEK_SECTIONS: Pick<CallSectionsOptions, 'section' | 'call'> = {
  section: { open: [...deepseekMarker('tool calls begin'), '<｜tool▁calls｜>'], close: deepseekMarker('tool calls end') },
  call: {
    open: deepseekMarker('tool call begin'),
    separator: deepseekMarker('tool sep'),
    close: deepseekMarker('tool call end'),
  },
}
