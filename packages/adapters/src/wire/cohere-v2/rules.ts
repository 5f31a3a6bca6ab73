/** Rules for what Cohere v2 accepts in a tool: any JSON Schema. Strict mode isn't used, because it applies to the whole request. */

import { KEPT } from '../../shaping/rules/rule-builders.ts'
import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { OPENAI_NAMES } from '../openai-chat/rules.ts'

export const cohereRules: ToolRules = {
  id: 'cohere-v2',
  names: { ...OPENAI_NAMES, source: 'the narrowest of the APIs: a name that all of them accept' },
  schema: { id: 'cohere-v2', keywords: {}, others: KEPT },
}
