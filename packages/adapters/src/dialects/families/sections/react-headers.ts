/** The headers of ReAct's sections, as models write them: with a number, and in bold. */
import type { BlockContext } from '../../engine/block.ts'
import { loose, type Marker, MarkerSet, NUMBER } from '../../engine/marker.ts'
import type { Reading } from '../../engine/text-input.ts'
import { headersHere, lineHeaders, type SectionHeaders } from './sections.ts'

function header(word: string): readonly string[] {
  return [`${word} ${NUMBER} :`, `** ${word} ${NUMBER} : **`, `** ${word} ${NUMBER} ** :`]
}

/** The keys of an action that is one JSON object. */
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
/** An object in a fence, which may follow any text. */
export const FENCED_OBJECT: Marker = FENCED.map(loose)

export const INPUT_HEADER = { input: header('Action Input') } as const satisfies SectionHeaders<string>

/** The header of an action's input, including the preceding line break. */
export const INPUT = new MarkerSet<string>(lineHeaders(INPUT_HEADER))
/** Markers that end a section's text. */
export const END_OF_SECTION = new MarkerSet<string>({ ...lineHeaders({ ...HEADERS, ...INPUT_HEADER }), fenced: FENCED_OBJECT })
/** Markers that end the input of an action, which may be an object of any kind; also in the middle of a line. */
export const END_OF_INPUT = new MarkerSet<string>(lineHeaders({ ...WORDS, ...INPUT_HEADER }))
export const END_OF_INPUT_HERE = headersHere<string>({ ...WORDS, ...INPUT_HEADER })
/** An action that is an object, after its header. */
export const OBJECT_HERE = new MarkerSet<string>({ object: [...OBJECTS, ...FENCED].map((object) => loose(` ${object}`)) })
/** A set without markers, for text that extends to the end. */
export const NO_MARKER = new MarkerSet<string>({})

/** Reads the rest of the turn after its only call, and drops it or keeps it as text, per `policy.textAfterCalls`. Ignores headers in it. */
export function* readRest({ input, policy, giveText }: BlockContext): Reading {
  yield* input.before(NO_MARKER, policy.textAfterCalls === 'keep' ? giveText : () => {})
}
