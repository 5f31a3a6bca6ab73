/** What Cohere v2 takes of a tool: any JSON Schema. No strict mode is used: its strict mode is one switch for a whole request. */

import { KEPT } from '../../shaping/rule-builders.ts'
import type { ToolRules } from '../../shaping/tool-rules.ts'
import { OPENAI_NAMES } from '../openai-chat/rules.ts'

export const cohereRules: ToolRules = {
  id: 'cohere-v2',
  names: { ...OPENAI_NAMES, source: 'the narrowest of the APIs: a name that fits everywhere' },
  schema: { id: 'cohere-v2', keywords: {}, others: KEPT },
}
