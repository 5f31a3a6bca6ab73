/** The treasure hunt: two tools, each in a module that is imported when an agent needs it. */
import { lazy } from '@x/registry'
import type { Domain } from '../domain.ts'
import { scenarios } from './requests.ts'

export default {
  name: 'treasure_hunt',
  instructions: 'Help with the treasure hunt: give hints about the treasure and check guesses of its location.',
  createTools: () => [
    lazy('give_hint', () => import('./give-hint.ts')),
    lazy('guess_location', () => import('./guess-location.ts')),
  ],
  scenarios,
} satisfies Domain
