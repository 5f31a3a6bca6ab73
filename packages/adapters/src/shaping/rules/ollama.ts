/** What Ollama takes of a tool: any JSON Schema. No strict mode is used: there is no strict mode. */
import type { ToolRules } from '../tool-rules.ts'
import { OPENAI_NAMES } from './openai-chat.ts'
import { KEPT } from './sourced.ts'

export const ollamaRules: ToolRules = {
  id: 'ollama',
  names: { ...OPENAI_NAMES, source: 'the narrowest of the APIs: a name that fits everywhere' },
  schema: { id: 'ollama', keywords: {}, others: KEPT },
}
