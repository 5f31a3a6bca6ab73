/** What one API accepts in a tool, as data: its names and its dialect of JSON Schema. */

export interface ToolRules {
  /** Unique id of the rules in caches and reports: `gemini`, `openai-chat:groq`. */
  readonly id: string
  readonly names: NameRules
  readonly schema: SchemaRules
  /** The narrower dialect of the API's strict mode, if it has one. */
  readonly strict?: SchemaRules | undefined
  /** Maximum number of strict tools per request; the first ones are strict. */
  readonly maxStrict?: number | undefined
}

/**
 * What one dialect of JSON Schema accepts. The engine shapes every schema by these rules, and a separate checker reads them. An
 * absent rule leaves its form unchanged. docs/providers.md explains them.
 */
export interface SchemaRules {
  readonly id: string
  /** True for a strict mode: a schema that doesn't fit is sent by the other rules of its API. */
  readonly strict?: boolean | undefined
  /** Keywords about a value that have no rule of their own below. */
  readonly keywords: Readonly<Record<string, KeywordRule>>
  /** Every keyword that neither `keywords` nor another rule names. */
  readonly others: KeywordRule
  /** `inlined`: no `$ref` and no definitions. `alone`: no keywords beside a `$ref`; they go around it. */
  readonly references?: Rule<'inlined' | 'alone'> | undefined
  /** For a recursive `$ref`: `cut` to an open value, or the dialect isn't used. */
  readonly recursion?: Rule<'cut' | 'refused'> | undefined
  readonly allOf?: Rule<'merged'> | undefined
  readonly oneOf?: Rule<'anyOf'> | undefined
  /**
   * `alone`: no keywords beside it. `apart`: no keywords about the value beside it. `typed`: no `type` beside it. Each choice
   * repeats them instead.
   */
  readonly anyOf?: Rule<'alone' | 'apart' | 'typed'> | undefined
  /** A choice or an intersection at the root: `merged` to one object that allows each of them. */
  readonly rootChoice?: Rule<'merged' | 'refused'> | undefined
  /** `stated`: the root has `properties`, even if empty. */
  readonly rootProperties?: Rule<'stated'> | undefined
  readonly constants?: Rule<'enum'> | undefined
  /** `texts`: every choice is a string; `restore` converts it back to the value. */
  readonly choices?: Rule<'texts'> | undefined
  /** `items`: a list whose items are any of the tuple's. `prefixItems`: no array in `items`. */
  readonly tuples?: Rule<'items' | 'prefixItems' | 'refused'> | undefined
  /** `single`: a type is one name, and null is expressed by `nullable`. */
  readonly types?: Rule<'single'> | undefined
  /** For a schema without a type: `filled` with the types that its keywords are about, or the dialect isn't used. */
  readonly untyped?: Rule<'filled' | 'refused'> | undefined
  /**
   * `closed`: no other properties. `closed and required`: all properties are also required, and an optional one may be null.
   * `unclosed`: never marked as closed.
   */
  readonly objects?: Rule<'closed' | 'closed and required' | 'unclosed'> | undefined
  /** `filled`: an array always has `items`. */
  readonly items?: Rule<'filled'> | undefined
  /** `declared`: only declared properties, and only in objects. */
  readonly required?: Rule<'declared'> | undefined
  /** Names of properties. */
  readonly keys?: NameRules | undefined
  readonly limits?: SchemaLimits | undefined
}

/**
 * - `kept`: sent unchanged.
 * - `described`: moved to the description.
 * - `dropped`: not sent.
 * - `refused`: the dialect isn't used for a schema with it.
 */
export type Fate = 'kept' | 'described' | 'dropped' | 'refused'

export interface KeywordRule extends Sourced {
  readonly becomes: Fate
  /** The values that `becomes` is for; others become `otherwise`. */
  readonly only?: Condition | undefined
  readonly otherwise?: Fate | undefined
}

export interface Condition {
  readonly words: string
  holds(value: unknown): boolean
}

export interface Rule<Choice extends string> extends Sourced {
  readonly is: Choice
}

export interface Sourced {
  /** Source of the rule: a document, a type of an SDK, the source of a client, an error of an API. */
  readonly source: string
  /** What a provider accepted although the source says otherwise. It takes precedence: the rule already reflects it. */
  readonly exception?: string | undefined
}

export interface SchemaLimits extends Sourced {
  readonly properties: number
  /** Nesting depth of objects. */
  readonly levels: number
  readonly choices: number
  /** Total length of the names of properties and definitions, and of string choices. */
  readonly characters: number
}

export function fateOf(keyword: string, value: unknown, { keywords, others }: SchemaRules): Fate {
  const rule = Object.hasOwn(keywords, keyword) ? keywords[keyword] : others
  const { becomes, only, otherwise } = rule ?? others
  return only === undefined || only.holds(value) ? becomes : (otherwise ?? 'dropped')
}

export interface NameRules {
  /** Maximum length in UTF-16 units; at least 16, so that a hash fits. */
  readonly maxLength: number
  /** Matches a valid name. A name may start with `a`, and `_` may be anywhere in it. */
  readonly pattern: RegExp
  /** Source of the rule. */
  readonly source?: string | undefined
}
