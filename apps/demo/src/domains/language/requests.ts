/** Requests about languages, each with the calls that serve it. */
import type { Scenario } from '../domain.ts'

export const scenarios: readonly Scenario[] = [
  {
    title: 'Translations',
    requests: [
      {
        request: 'Translate "Good morning" to French',
        expected: [{ tool: 'translate_text', args: { text: 'Good morning', target_language: 'fr' } }],
        answer: 'Good morning',
      },
      {
        request: 'How do you say "Where is the station?" in German?',
        expected: [{ tool: 'translate_text', args: { text: 'Where is the station?', target_language: 'de' } }],
      },
      { request: 'Which languages can you translate into?', expected: [{ tool: 'list_languages' }], answer: 'French' },
    ],
  },
  {
    title: 'From one language to several',
    requests: [
      {
        request: 'Translate "Thank you very much" into Spanish and also into Italian',
        expected: [
          { tool: 'translate_text', args: { text: 'Thank you very much', target_language: 'es' } },
          { tool: 'translate_text', args: { text: 'Thank you very much', target_language: 'it' } },
        ],
      },
      {
        request: 'Please put this into Swedish for me: "The meeting starts at ten."',
        expected: [{ tool: 'translate_text', args: { text: 'The meeting starts at ten.', target_language: 'sv' } }],
      },
      {
        request: 'I got a message in German: "Wir kommen morgen". Translate it from German to English.',
        expected: [{ tool: 'translate_text', args: { text: 'Wir kommen morgen', target_language: 'en', source_language: 'de' } }],
      },
      {
        request: 'Is Welsh on your list of languages, and what is its code?',
        expected: [{ tool: 'list_languages' }],
        answer: 'cy',
      },
    ],
  },
  {
    title: 'What no tool does',
    requests: [
      { request: 'Read the word "croissant" out loud so that I can hear it', expected: [] },
      { request: 'Sign me up for a Spanish course', expected: [] },
    ],
  },
]
