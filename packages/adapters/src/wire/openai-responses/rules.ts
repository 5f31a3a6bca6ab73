/** Tool rules for OpenAI Responses. */

import { KEPT } from '../../shaping/rules/rule-builders.ts'
import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { OPENAI_PROPERTIES, OPENAI_ROOT } from '../openai-chat/rules.ts'
import { openaiStrictSchema } from '../openai-chat/strict-rules.ts'

export const openaiResponsesRules: ToolRules = {
  id: 'openai-responses',
  names: {
    maxLength: 64,
    pattern: /^[a-zA-Z0-9_-]+$/,
    source: 'openai-openapi FunctionToolParam.name says 128, errors of the API say 64: the shorter one fits both',
  },
  schema: { id: 'openai-responses', keywords: {}, others: KEPT, rootChoice: OPENAI_ROOT, rootProperties: OPENAI_PROPERTIES },
  strict: openaiStrictSchema,
}
