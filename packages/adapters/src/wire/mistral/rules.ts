/**
 * Rules for what Mistral accepts in a tool: any JSON Schema. Strict mode isn't used: the SDK's FunctionT has `strict`, but its rules aren't
 * published.
 */

import { KEPT } from '../../shaping/rules/rule-builders.ts'
import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { OPENAI_NAMES } from '../openai-chat/rules.ts'

export const mistralRules: ToolRules = {
  id: 'mistral',
  names: { ...OPENAI_NAMES, source: 'the narrowest of the APIs: a name that all of them accept' },
  schema: { id: 'mistral', keywords: {}, others: KEPT },
}
