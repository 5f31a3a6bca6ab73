/** Tool rules for Anthropic Messages. */

import { KEPT } from '../../shaping/rules/rule-builders.ts'
import type { ToolRules } from '../../shaping/rules/tool-rules.ts'
import { anthropicStrictSchema } from './strict-rules.ts'

const KEYS = {
  maxLength: 64,
  pattern: /^[a-zA-Z0-9_.-]+$/,
  source: 'the API: property keys match ^[a-zA-Z0-9_.-]{1,64}$',
}
const ROOT = {
  is: 'merged',
  source: 'the API: no oneOf, allOf or anyOf at the top level: github.com/anomalyco/opencode/issues/38616',
} as const

export const anthropicRules: ToolRules = {
  id: 'anthropic-messages',
  names: {
    maxLength: 64,
    pattern: /^[a-zA-Z0-9_-]+$/,
    source: 'the API says 128 (copilot-cli#1879), tool_reference 64 (cloudflare/skills#11): the shorter one fits both',
  },
  schema: { id: 'anthropic-messages', keywords: {}, others: KEPT, keys: KEYS, rootChoice: ROOT },
  strict: { ...anthropicStrictSchema, keys: KEYS },
  // Source: pydantic-ai providers/bedrock.py
  maxStrict: 20,
}
