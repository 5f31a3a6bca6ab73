/** Tool rules for Cohere v2, which accepts any JSON Schema. Strict mode isn't used, because it applies to the whole request. */

import { KEPT } from '../../shaping/rules/rule-builders.ts'
import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { OPENAI_NAMES } from '../openai-chat/rules.ts'

export const cohereRules: ToolRules = {
  id: 'cohere-v2',
  names: { ...OPENAI_NAMES, source: 'the narrowest rules of all APIs, so that every API accepts the names' },
  schema: { id: 'cohere-v2', keywords: {}, others: KEPT },
}
