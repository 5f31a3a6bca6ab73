/** Tool rules for Bedrock Converse. They depend on the model family. */

import { KEPT } from '../../shaping/rules/rule-builders.ts'
import type { NameRules, SchemaRules, ToolRules } from '../../shaping/rules/tool-rules.ts'
import { anthropicRules } from '../anthropic-messages/rules.ts'
import { bedrockStrictSchema } from '../anthropic-messages/strict-rules.ts'

const NAMES: NameRules = { maxLength: 64, pattern: /^[a-zA-Z0-9_-]+$/, source: 'AWS API reference ToolSpecification' }

/** The limits of Anthropic's API, because Claude checks property names and the root schema on every host. */
const SCHEMA: SchemaRules = {
  id: 'bedrock-converse',
  keywords: {},
  others: KEPT,
  keys: anthropicRules.schema.keys,
  rootChoice: anthropicRules.schema.rootChoice,
}

export const bedrockRules: ToolRules = {
  id: 'bedrock-converse',
  names: NAMES,
  schema: SCHEMA,
  strict: { ...bedrockStrictSchema, keys: SCHEMA.keys },
  maxStrict: 20,
}

/** Tool rules for Nova and Llama, which don't resolve references. */
export const bedrockInlinedRules: ToolRules = {
  id: 'bedrock-converse:inlined',
  names: NAMES,
  schema: {
    ...SCHEMA,
    id: 'bedrock-converse:inlined',
    references: { is: 'inlined', source: 'pydantic-ai profiles/amazon.py, meta.py' },
    recursion: { is: 'cut', source: 'a recursive definition cannot be inlined' },
  },
}
