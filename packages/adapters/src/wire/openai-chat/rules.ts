/** Tool rules for OpenAI Chat Completions, and for two other hosts with the same API: xAI and Moonshot. */

import { KEPT } from '../../shaping/rules/rule-builders.ts'
import type { NameRules, SchemaRules, ToolRules } from '../../shaping/rules/tool-rules.ts'
import { openaiStrictSchema } from './strict-rules.ts'

export const OPENAI_NAMES: NameRules = {
  maxLength: 64,
  pattern: /^[a-zA-Z0-9_-]+$/,
  source: 'openai-openapi FunctionObject.name',
}

export const OPENAI_ROOT: SchemaRules['rootChoice'] = {
  is: 'merged',
  source: 'github.com/anomalyco/opencode/issues/35516',
}

export const OPENAI_PROPERTIES: SchemaRules['rootProperties'] = {
  is: 'stated',
  source: 'pydantic-ai profiles/openai.py drops objects without properties',
}

export const openaiChatRules: ToolRules = {
  id: 'openai-chat',
  names: OPENAI_NAMES,
  schema: { id: 'openai-chat', keywords: {}, others: KEPT, rootChoice: OPENAI_ROOT, rootProperties: OPENAI_PROPERTIES },
  strict: openaiStrictSchema,
}

export const xaiRules: ToolRules = {
  id: 'openai-chat:xai',
  names: OPENAI_NAMES,
  schema: {
    id: 'openai-chat:xai',
    keywords: {},
    others: KEPT,
    objects: { is: 'unclosed', source: 'vercel/ai xai-prepare-tools.ts removes additionalProperties: false' },
  },
}

const MOONSHOT = 'vercel/ai normalize-json-schema-for-mfjs.ts'

export const moonshotRules: ToolRules = {
  id: 'openai-chat:moonshot',
  names: OPENAI_NAMES,
  schema: {
    id: 'openai-chat:moonshot',
    keywords: {},
    others: KEPT,
    tuples: { is: 'prefixItems', source: MOONSHOT },
    anyOf: { is: 'typed', source: MOONSHOT },
    rootChoice: { is: 'merged', source: `${MOONSHOT}: an object at the root` },
  },
}
