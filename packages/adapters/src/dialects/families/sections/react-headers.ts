/** The headers of ReAct's sections in all forms that models write, for example with a number or in bold. */
import type { BlockContext } from '../../engine/block.ts'
import { loose, type Marker, MarkerSet, NUMBER } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { headersHere, lineHeaders, type SectionHeaders } from './sections.ts'

function header(word: string): readonly string[] {
  return [`${word} ${NUMBER} :`, `** ${word} ${NUMBER} : **`, `** ${word} ${NUMBER} ** :`]
}

/** Keys of an action in the form of one JSON object. */
const KEYS = ['thought', 'action', 'action_input', 'tool_input', 'final_answer']
const OBJECTS = KEYS.map((key) => `{ "${key}" :`)
const FENCED = OBJECTS.flatMap((object) => [`\`\`\` ${object}`, `\`\`\`json ${object}`])

const WORDS = {
  thought: header('Thought'),
  action: header('Action'),
  observation: header('Observation'),
  final: header('Final Answer'),
} as const satisfies SectionHeaders<string>

/** Headers that start a section. */
export const HEADERS = { ...WORDS, object: OBJECTS } as const satisfies SectionHeaders<string>
/** An action object in a code fence. It may follow any text, not just a line break. */
export const FENCED_OBJECT: Marker = FENCED.map(loose)

export const INPUT_HEADER = { input: header('Action Input') } as const satisfies SectionHeaders<string>

/** The header of an action's input, including the line break before it. */
export const INPUT = new MarkerSet<string>(lineHeaders(INPUT_HEADER))
/** Markers that end the text of a section. */
export const END_OF_SECTION = new MarkerSet<string>({ ...lineHeaders({ ...HEADERS, ...INPUT_HEADER }), fenced: FENCED_OBJECT })
/** Headers that end an action's input. Action objects aren't among them, because the input may be an object itself. */
export const END_OF_INPUT = new MarkerSet<string>(lineHeaders({ ...WORDS, ...INPUT_HEADER }))
/** The same headers without the line break before them. */
export const END_OF_INPUT_HERE = headersHere<string>({ ...WORDS, ...INPUT_HEADER })
/** The start of an action object, directly after the header. */
export const OBJECT_HERE = new MarkerSet<string>({ object: [...OBJECTS, ...FENCED].map((object) => loose(` ${object}`)) })
/** An empty set, for text that extends to the end. */
export const NO_MARKER = new MarkerSet<string>({})

/**
 * Reads the rest of the turn after its only call. Headers in it aren't parsed. `policy.textAfterCalls` decides whether it is
 * kept.
 */
export function* readRest({ input, policy, giveText }: BlockContext): Reading {
  yield* input.before(NO_MARKER, policy.textAfterCalls === 'keep' ? giveText : () => {})
}
