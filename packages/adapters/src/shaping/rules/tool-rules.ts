/** Types of tool rules. The rules describe, as data, the tool names and the JSON Schema dialect that an API accepts. */

export interface ToolRules {
  /** Unique id of the rules in caches and reports, such as `gemini` or `openai-chat:groq`. */
  readonly id: string
  readonly names: NameRules
  readonly schema: SchemaRules
  /** Dialect of the API's strict mode, which accepts fewer schemas. Undefined if there is no strict mode. */
  readonly strict?: SchemaRules | undefined
  /** Maximum number of strict tools per request. Further tools are sent without strict mode. */
  readonly maxStrict?: number | undefined
}

/**
 * Rules for one dialect of JSON Schema. The engine shapes every schema by them, and a separate checker uses them too. A keyword
 * without a rule is sent unchanged. docs/providers.md explains the rules.
 */
export interface SchemaRules {
  readonly id: string
  /**
   * True for the dialect of a strict mode. A schema that it can't express is shaped by the API's other rules instead, without
   * strict mode.
   */
  readonly strict?: boolean | undefined
  /** Rules for keywords that have no field of their own below. */
  readonly keywords: Readonly<Record<string, KeywordRule>>
  /** The rule for every other keyword without a field of its own below. */
  readonly others: KeywordRule
  /**
   * Rule for `$ref`. `inlined`: no `$ref` and no definitions are sent. `alone`: no keywords are allowed next to a `$ref`, so a
   * `$ref` with other keywords becomes a member of an `anyOf`.
   */
  readonly references?: Rule<'inlined' | 'alone'> | undefined
  /**
   * Rule for a recursive `$ref`. `cut`: it is replaced with a schema that allows any value. `refused`: the dialect isn't used.
   */
  readonly recursion?: Rule<'cut' | 'refused'> | undefined
  readonly allOf?: Rule<'merged'> | undefined
  readonly oneOf?: Rule<'anyOf'> | undefined
  /**
   * Keywords that aren't allowed next to `anyOf` and are repeated in each choice. `alone`: all keywords. `apart`: keywords that
   * restrict the value. `typed`: `type`.
   */
  readonly anyOf?: Rule<'alone' | 'apart' | 'typed'> | undefined
  /**
   * Rule for `anyOf`, `oneOf` or `allOf` at the root. `merged`: the root is sent as one object with the properties of every
   * member. `refused`: the dialect isn't used.
   */
  readonly rootChoice?: Rule<'merged' | 'refused'> | undefined
  /** Rule for the root. `stated`: it always declares `properties`, even if there are none. */
  readonly rootProperties?: Rule<'stated'> | undefined
  readonly constants?: Rule<'enum'> | undefined
  /** Rule for `enum`. `texts`: every choice is sent as a string, which `restore` converts back. */
  readonly choices?: Rule<'texts'> | undefined
  /**
   * Rule for tuples. `items`: a tuple is sent as an array whose items may each match any schema of the tuple. `prefixItems`: a
   * tuple is sent as `prefixItems`, never as an array in `items`. `refused`: the dialect isn't used.
   */
  readonly tuples?: Rule<'items' | 'prefixItems' | 'refused'> | undefined
  /** Rule for `type`. `single`: a type is a single name, and null becomes `nullable`. */
  readonly types?: Rule<'single'> | undefined
  /**
   * Rule for a schema without a type. `filled`: the types to which its keywords apply are added. `refused`: the dialect isn't
   * used.
   */
  readonly untyped?: Rule<'filled' | 'refused'> | undefined
  /**
   * Rule for objects. `closed`: undeclared properties aren't allowed. `closed and required`: also, all properties are required,
   * and an optional one may be null. `unclosed`: an object is never closed.
   */
  readonly objects?: Rule<'closed' | 'closed and required' | 'unclosed'> | undefined
  /** Rule for arrays. `filled`: an array always declares `items`. */
  readonly items?: Rule<'filled'> | undefined
  /** Rule for `required`. `declared`: only declared properties may be required, and only in objects. */
  readonly required?: Rule<'declared'> | undefined
  /** Rules for property names. */
  readonly keys?: NameRules | undefined
  readonly limits?: SchemaLimits | undefined
}

/**
 * How a keyword is handled:
 * - `kept`: sent unchanged.
 * - `described`: moved to the description.
 * - `dropped`: not sent.
 * - `refused`: the dialect isn't used for a schema with this keyword.
 */
export type Fate = 'kept' | 'described' | 'dropped' | 'refused'

export interface KeywordRule extends Sourced {
  readonly becomes: Fate
  /** Limits `becomes` to values that meet the condition. For other values, `otherwise` applies. Default of `otherwise`: `dropped`. */
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
  /** Source of the rule: documentation, an SDK type, the source code of a client, or an error from the API. */
  readonly source: string
  /** A case that a provider accepted although the source excludes it. The rule allows it. */
  readonly exception?: string | undefined
}

export interface SchemaLimits extends Sourced {
  readonly properties: number
  /** Maximum nesting depth of objects. */
  readonly levels: number
  readonly choices: number
  /** Maximum total length of property names, definition names and string choices. */
  readonly characters: number
}

export function fateOf(keyword: string, value: unknown, { keywords, others }: SchemaRules): Fate {
  const rule = Object.hasOwn(keywords, keyword) ? keywords[keyword] : others
  const { becomes, only, otherwise } = rule ?? others
  return only === undefined || only.holds(value) ? becomes : (otherwise ?? 'dropped')
}

export interface NameRules {
  /** Maximum length in UTF-16 code units. At least 16, so that a hash fits. */
  readonly maxLength: number
  /** Matches valid names. Must allow `a` at the start, and `_` anywhere. */
  readonly pattern: RegExp
  /** Source of the rule. */
  readonly source?: string | undefined
}
