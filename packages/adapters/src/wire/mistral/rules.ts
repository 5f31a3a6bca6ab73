/**
 * Tool rules for Mistral, which accepts any JSON Schema. Strict mode isn't used: the SDK's `FunctionT` has a field `strict`, but its rules
 * aren't documented.
 */

import { KEPT } from '../../shaping/rules/rule-builders.ts'
import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { OPENAI_NAMES } from '../openai-chat/rules.ts'

export const mistralRules: ToolRules = {
  id: 'mistral',
  names: { ...OPENAI_NAMES, source: 'the narrowest rules of all APIs, so that every API accepts the names' },
  schema: { id: 'mistral', keywords: {}, others: KEPT },
}
