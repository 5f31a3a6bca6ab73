/** The tool `guess_location`. */
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'

/** Patterns for the location of the treasure, which the hints describe. */
const TREASURE = {
  address: /\blenora\b/,
  city: /\bseattle\b/,
  state: /^(?:wa|washington|washington state)$/,
} as const

type Part = keyof typeof TREASURE

export default defineTool({
  name: 'guess_location',
  description: 'Guess where the treasure is, by street address, city and state; says which parts of the guess are right',
  category: 'treasure_hunt',
  effect: 'read',
  args: Type.Object({
    address: Type.String({ default: '', description: 'Street address of the guess, e.g. "12 Main Street"' }),
    city: Type.String({ default: '', description: 'City of the guess' }),
    state: Type.String({ default: '', description: 'State of the guess, in full or as two letters' }),
  }),
  execute: (guess) => {
    const parts = Object.keys(TREASURE) as Part[]
    const isRight = (part: Part) => TREASURE[part].test(plain(guess[part]))
    const correct = parts.filter(isRight)
    const wrong = parts.filter((part) => plain(guess[part]) !== '' && !isRight(part))
    const missing = parts.filter((part) => plain(guess[part]) === '')
    return { treasure_found: correct.length === parts.length, correct, wrong, missing }
  },
})

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
