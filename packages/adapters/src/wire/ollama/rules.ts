/** Tool rules for Ollama, which accepts any JSON Schema and has no strict mode. */

import { KEPT } from '../../shaping/rules/rule-builders.ts'
import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { OPENAI_NAMES } from '../openai-chat/rules.ts'

export const ollamaRules: ToolRules = {
  id: 'ollama',
  names: { ...OPENAI_NAMES, source: 'the narrowest rules of all APIs, so that every API accepts the names' },
  schema: { id: 'ollama', keywords: {}, others: KEPT },
}
