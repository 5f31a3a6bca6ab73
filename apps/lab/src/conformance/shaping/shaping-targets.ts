/** The dialects of the corpus that are our targets. */
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
  /** True if the cases use the API's strict mode. */
  readonly strict: boolean
}

const plain = (rules: ToolRules): ShapingTarget => ({ rules, strict: false })
const strict = (rules: ToolRules): ShapingTarget => ({ rules, strict: true })

/** Targets by the corpus's name: every wire format, for an unknown model, and other rules that the corpus has cases for. */
export const SHAPING_TARGETS: ReadonlyMap<string, ShapingTarget> = new Map([
  ...WIRES.flatMap(({ name, toolRules }): [string, ShapingTarget][] => (toolRules ? [[name, plain(toolRules(''))]] : [])),
  ['gemini-jsonschema', plain(geminiJsonSchemaRules)],
  ['openai-chat:moonshot', plain(moonshotRules)],
  ['openai-strict', strict(openaiChatRules)],
  ['anthropic-messages:strict-output', strict(anthropicRules)],
  ['bedrock-converse:strict', strict(bedrockRules)],
])
