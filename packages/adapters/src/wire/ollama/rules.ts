/** Rules for what Ollama accepts in a tool: any JSON Schema. It has no strict mode. */

import { KEPT } from '../../shaping/rules/rule-builders.ts'
import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { OPENAI_NAMES } from '../openai-chat/rules.ts'

export const ollamaRules: ToolRules = {
  id: 'ollama',
  names: { ...OPENAI_NAMES, source: 'the narrowest of the APIs: a name that all of them accept' },
  schema: { id: 'ollama', keywords: {}, others: KEPT },
}
