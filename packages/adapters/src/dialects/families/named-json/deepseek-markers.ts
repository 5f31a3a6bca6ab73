/** DeepSeek's markers, in all spellings that the models use. */

import type { InventedResultOptions } from '../results/invented-result.ts'
import type { CallSectionsOptions } from './call-sections.ts'

/**
 * Returns all spellings of a marker such as `<｜tool▁calls▁begin｜>`. The first has the two special characters of the vocabulary;
 * the others have lookalikes.
 */
function deepseekMarker(words: string): readonly string[] {
  return BARS.flatMap((bar) => JOINTS.map((joint) => `<${bar}${words.replaceAll(' ', joint)}${bar}>`))
}

const BARS = ['｜', '|']
const JOINTS = ['▁', '_', ' ', '\\_']

/** Tokens that end a part of a response and are never text. */
export const DEEPSEEK_ENDS: readonly string[] = [
  'tool outputs end',
  'tool output end',
  'tool calls end',
  'tool call end',
  'end of sentence',
].flatMap(deepseekMarker)

/** The markers of results and of the user's turn. Consecutive results share one pair of outer markers. */
export const DEEPSEEK_OUTPUTS: InventedResultOptions = {
  open: [...['tool outputs begin', 'tool output begin'].flatMap(deepseekMarker), '<｜User｜>', '<|User|>'],
  inner: deepseekMarker('tool output begin'),
  close: ['tool outputs end', 'tool output end'].flatMap(deepseekMarker),
}

/** The call sections of V3 and V3.1, which differ in the position of the name. */
export const DEEPSEEK_SECTIONS: Pick<CallSectionsOptions, 'section' | 'call'> = {
  section: { open: [...deepseekMarker('tool calls begin'), '<｜tool▁calls｜>'], close: deepseekMarker('tool calls end') },
  call: {
    open: deepseekMarker('tool call begin'),
    separator: deepseekMarker('tool sep'),
    close: deepseekMarker('tool call end'),
  },
}
