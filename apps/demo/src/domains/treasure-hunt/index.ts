/** The treasure hunt: two tools, each in a module that is imported when an agent needs it. */
import { lazy } from '@x/registry'
import type { Domain } from '../domain.ts'

export default {
  name: 'treasure_hunt',
  instructions: 'Help with the treasure hunt: give hints about the treasure and check guesses of its location.',
  createTools: () => [
    lazy('give_hint', () => import('./give-hint.ts')),
    lazy('guess_location', () => import('./guess-location.ts')),
  ],
  requests: [
    { request: 'Give me a hint about the treasure', expected: [{ tool: 'give_hint' }], answer: 'coffee and rain' },
    {
      request: 'I have been given 2 hints already. Give me one more.',
      expected: [{ tool: 'give_hint', args: { hint_total: 2 } }],
      answer: 'wife',
    },
    {
      request: 'My guess for the treasure: address "101 Lenora Street", city Seattle, state Washington',
      expected: [{ tool: 'guess_location', args: { address: '101 Lenora Street', city: 'Seattle', state: 'Washington' } }],
    },
  ],
} satisfies Domain
