/** Language: two tools, each in a module that is imported when an agent needs it. */
import { lazy } from '@x/registry'
import type { Domain } from '../domain.ts'
import { scenarios } from './requests.ts'

export default {
  name: 'language',
  instructions: [
    'Help with languages. Use translate_text for every translation, and return its output verbatim.',
    'The tool stands in for a translation service and only marks the text: say so in the answer.',
  ].join('\n'),
  createTools: () => [
    lazy('translate_text', () => import('./translate-text.ts')),
    lazy('list_languages', () => import('./list-languages.ts')),
  ],
  scenarios,
} satisfies Domain
