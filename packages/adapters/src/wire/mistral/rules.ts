/** What Mistral takes of a tool: any JSON Schema. No strict mode is used: the SDK's FunctionT has `strict`, its rules are not published. */

import { KEPT } from '../../shaping/rule-builders.ts'
import type { ToolRules } from '../../shaping/tool-rules.ts'
import { OPENAI_NAMES } from '../openai-chat/rules.ts'

export const mistralRules: ToolRules = {
  id: 'mistral',
  names: { ...OPENAI_NAMES, source: 'the narrowest of the APIs: a name that fits everywhere' },
  schema: { id: 'mistral', keywords: {}, others: KEPT },
}
