/** The targets that schemas are shaped for, by the corpus's names for them. */
import {
  anthropicRules,
  bedrockRules,
  geminiJsonSchemaRules,
  moonshotRules,
  openaiChatRules,
  type ToolRules,
} from '@x/adapters/wire'
import { WIRES } from '../../wires.ts'

export interface ShapingTarget {
  readonly rules: ToolRules
  /** True if strict mode is requested for every case. */
  readonly strict: boolean
}

const plain = (rules: ToolRules): ShapingTarget => ({ rules, strict: false })
const strict = (rules: ToolRules): ShapingTarget => ({ rules, strict: true })

/** Targets, keyed by the corpus's name: every wire format with an unknown model, and other rules for which the corpus has cases. */
export const SHAPING_TARGETS: ReadonlyMap<string, ShapingTarget> = new Map([
  ...WIRES.flatMap(({ name, toolRules }): [string, ShapingTarget][] => (toolRules ? [[name, plain(toolRules(''))]] : [])),
  ['gemini-jsonschema', plain(geminiJsonSchemaRules)],
  ['openai-chat:moonshot', plain(moonshotRules)],
  ['openai-strict', strict(openaiChatRules)],
  ['anthropic-messages:strict-output', strict(anthropicRules)],
  ['bedrock-converse:strict', strict(bedrockRules)],
])
