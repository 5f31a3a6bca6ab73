/** What Ollama takes of a tool: any JSON Schema. No strict mode is used: there is no strict mode. */

import { KEPT } from '../../shaping/rule-builders.ts'
import type { ToolRules } from '../../shaping/tool-rules.ts'
import { OPENAI_NAMES } from '../openai-chat/rules.ts'

export const ollamaRules: ToolRules = {
  id: 'ollama',
  names: { ...OPENAI_NAMES, source: 'the narrowest of the APIs: a name that fits everywhere' },
  schema: { id: 'ollama', keywords: {}, others: KEPT },
}
