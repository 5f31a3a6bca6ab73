/** The tool `give_hint`. */
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'

const HINTS = [
  'The treasure is in a city known for its coffee and rain.',
  "It's located near a famous public market.",
  "The address is on a street named after a US President's wife.",
] as const

export default defineTool({
  name: 'give_hint',
  description: 'Give a progressive hint, or clue, about the treasure location',
  category: 'treasure_hunt',
  effect: 'read',
  args: Type.Object({
    hint_total: Type.Integer({ minimum: 0, default: 0, description: 'The total number of hints already given' }),
  }),
  execute: ({ hint_total }) => ({ hint: HINTS[hint_total] ?? 'No more hints available.' }),
})
