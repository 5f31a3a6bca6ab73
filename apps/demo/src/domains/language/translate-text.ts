/** The tool `translate_text`. It stands in for a translation service: it marks the text with the language but doesn't translate it. */
import { defineTool } from '@x/tool-core'
import * as Type from 'typebox'

export default defineTool({
  name: 'translate_text',
  description:
    'Translate text from one language to another. Stands in for a translation service: it only marks the text with the language',
  category: 'language',
  effect: 'read',
  args: Type.Object({
    text: Type.String({ minLength: 1, description: 'The text to translate' }),
    target_language: Type.String({
      pattern: '^[a-z]{2}$',
      description:
        'Language to translate to: two-letter code, e.g. fr for French, de for German, es for Spanish, it for Italian, pt for Portuguese, nl for Dutch, ja for Japanese',
    }),
    source_language: Type.String({
      default: 'auto',
      description: 'Language of the text: two-letter code, or auto to detect it',
    }),
  }),
  execute: ({ text, target_language }) => ({ translated_text: `[${target_language}] ${text}` }),
})
