/** What one API takes of a tool, as data: its names and its dialect of JSON Schema. */
import type { NameRules } from './name-rules.ts'
import type { SchemaRules } from './schema-rules.ts'

export interface ToolRules {
  /** Unique; it names the rules in caches and reports: `gemini`, `openai-chat:groq`. */
  readonly id: string
  readonly names: NameRules
  readonly schema: SchemaRules
  /** The narrower dialect of the API's strict mode, where it has one. */
  readonly strict?: SchemaRules | undefined
  /** The most tools of one request that may be strict; the first ones are. */
  readonly maxStrict?: number | undefined
}
