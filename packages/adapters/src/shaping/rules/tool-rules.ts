/** The types of tool rules. The rules describe, as data, which tool names and which JSON Schema dialect an API accepts. */

export interface ToolRules {
  /** Unique id of the rules in caches and reports, such as `gemini` or `openai-chat:groq`. */
  readonly id: string
  readonly names: NameRules
  readonly schema: SchemaRules
  /** The dialect of the API's strict mode, which accepts fewer schemas. Undefined if the API has no strict mode. */
  readonly strict?: SchemaRules | undefined
  /** Maximum number of strict tools per request. Additional tools are sent without strict mode. */
  readonly maxStrict?: number | undefined
}

/**
 * Rules for one dialect of JSON Schema. The engine shapes every schema by these rules, and a separate checker uses them too. A keyword
 * without a rule is sent unchanged. docs/providers.md explains the rules.
 */
export interface SchemaRules {
  readonly id: string
  /**
   * True for the dialect of a strict mode. A schema that this dialect can't express is shaped by the API's other rules, without strict
   * mode.
   */
  readonly strict?: boolean | undefined
  /** Rules for keywords that have no field of their own below. */
  readonly keywords: Readonly<Record<string, KeywordRule>>
  /** The rule for every other keyword without a field of its own below. */
  readonly others: KeywordRule
  /**
   * For `$ref`. `inlined`: no `$ref` and no definitions are sent. `alone`: no keywords are allowed next to a `$ref`, so a `$ref` with
   * other keywords is moved into an `anyOf`.
   */
  readonly references?: Rule<'inlined' | 'alone'> | undefined
  /** For a recursive `$ref`. `cut`: replaced with a schema that allows any value. `refused`: the dialect isn't used. */
  readonly recursion?: Rule<'cut' | 'refused'> | undefined
  readonly allOf?: Rule<'merged'> | undefined
  readonly oneOf?: Rule<'anyOf'> | undefined
  /**
   * The keywords that can't be next to `anyOf`, which are repeated in each choice instead. `alone`: all keywords. `apart`: keywords that
   * restrict the value. `typed`: `type`.
   */
  readonly anyOf?: Rule<'alone' | 'apart' | 'typed'> | undefined
  /**
   * For an `anyOf`, `oneOf` or `allOf` at the root. `merged`: sent as one object that accepts the properties of every member. `refused`: the
   * dialect isn't used.
   */
  readonly rootChoice?: Rule<'merged' | 'refused'> | undefined
  /** For the root. `stated`: the root always declares `properties`, even without any property. */
  readonly rootProperties?: Rule<'stated'> | undefined
  readonly constants?: Rule<'enum'> | undefined
  /** For `enum`. `texts`: every choice is a string, which `restore` converts back to the original value. */
  readonly choices?: Rule<'texts'> | undefined
  /**
   * For tuples. `items`: a tuple is sent as an array in which each item may match any schema of the tuple. `prefixItems`: a tuple is sent
   * as `prefixItems`, never as an array in `items`. `refused`: the dialect isn't used.
   */
  readonly tuples?: Rule<'items' | 'prefixItems' | 'refused'> | undefined
  /** For `type`. `single`: a type is a single name, and null becomes `nullable`. */
  readonly types?: Rule<'single'> | undefined
  /** For a schema without a type. `filled`: the types to which its keywords apply are added. `refused`: the dialect isn't used. */
  readonly untyped?: Rule<'filled' | 'refused'> | undefined
  /**
   * For objects. `closed`: undeclared properties aren't allowed. `closed and required`: in addition, all properties are required, and an
   * optional one may be null. `unclosed`: an object is never marked as closed.
   */
  readonly objects?: Rule<'closed' | 'closed and required' | 'unclosed'> | undefined
  /** For arrays. `filled`: an array always declares `items`. */
  readonly items?: Rule<'filled'> | undefined
  /** For `required`. `declared`: only declared properties may be required, and only in objects. */
  readonly required?: Rule<'declared'> | undefined
  /** Rules for property names. */
  readonly keys?: NameRules | undefined
  readonly limits?: SchemaLimits | undefined
}

/**
 * What happens to a keyword:
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
  /** A case that a provider accepted although the source excludes it. The rule allows this case. */
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
  /** Maximum length in UTF-16 units; at least 16, so that a hash fits. */
  readonly maxLength: number
  /** Matches valid names. Must allow `a` at the start, and `_` anywhere. */
  readonly pattern: RegExp
  /** Source of the rule. */
  readonly source?: string | undefined
}
