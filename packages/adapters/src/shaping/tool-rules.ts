/** What one API takes of a tool, as data: its names and its dialect of JSON Schema. */

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

/**
 * What one dialect of JSON Schema takes: the one engine shapes every schema by it, and a checker of its own reads it. A form that is absent is
 * sent as it was written. docs/providers.md explains them.
 */
export interface SchemaRules {
  readonly id: string
  /** True for a strict mode: a schema that does not fit goes out by the other rules of its API. */
  readonly strict?: boolean | undefined
  /** Keywords that say something about a value, and have no form of their own below. */
  readonly keywords: Readonly<Record<string, KeywordRule>>
  /** Every keyword that neither `keywords` nor a form names. */
  readonly others: KeywordRule
  /** `inlined`: no `$ref` and no definitions. `alone`: nothing beside a `$ref`; what was goes around it. */
  readonly references?: Rule<'inlined' | 'alone'> | undefined
  /** Of a `$ref` that holds itself: `cut` to an open value, or the dialect is not used. */
  readonly recursion?: Rule<'cut' | 'refused'> | undefined
  readonly allOf?: Rule<'merged'> | undefined
  readonly oneOf?: Rule<'anyOf'> | undefined
  /**
   * `alone`: nothing beside it. `apart`: nothing about the value beside it. `typed`: no `type` beside it. Each choice says it
   * instead.
   */
  readonly anyOf?: Rule<'alone' | 'apart' | 'typed'> | undefined
  /** A choice or an intersection at the root: `merged` to one object that allows each of them. */
  readonly rootChoice?: Rule<'merged' | 'refused'> | undefined
  /** `stated`: the root has `properties`, be it none. */
  readonly rootProperties?: Rule<'stated'> | undefined
  readonly constants?: Rule<'enum'> | undefined
  /** `texts`: every choice is a text; `restore` makes the value of it. */
  readonly choices?: Rule<'texts'> | undefined
  /** `items`: a list whose items are any of the tuple's. `prefixItems`: not as a list in `items`. */
  readonly tuples?: Rule<'items' | 'prefixItems' | 'refused'> | undefined
  /** `single`: a type is one name, and null is said by `nullable`. */
  readonly types?: Rule<'single'> | undefined
  /** Of a schema that says no type: `filled` with the types that its keywords are about, or the dialect is not used. */
  readonly untyped?: Rule<'filled' | 'refused'> | undefined
  /**
   * `closed`: no other properties. `closed and required`: and each is required, an optional one may be null. `unclosed`: never
   * said to be closed.
   */
  readonly objects?: Rule<'closed' | 'closed and required' | 'unclosed'> | undefined
  /** `filled`: a list says what its items are. */
  readonly items?: Rule<'filled'> | undefined
  /** `declared`: only properties that are declared, and only in objects. */
  readonly required?: Rule<'declared'> | undefined
  /** Names of properties. */
  readonly keys?: NameRules | undefined
  readonly limits?: SchemaLimits | undefined
}

/**
 * - `kept`: sent as it is. - `described`: moved to the description. - `dropped`: not sent. - `refused`: the dialect is not used for
 * a schema that has it.
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
  /** Who says so: a document, a type of an SDK, the source of a client, an error that an API gave. */
  readonly source: string
  /** What a provider took although the source says otherwise. It wins: the rule is already as it says. */
  readonly exception?: string | undefined
}

export interface SchemaLimits extends Sourced {
  readonly properties: number
  /** Objects inside each other. */
  readonly levels: number
  readonly choices: number
  /** Of the names of properties and definitions, and of choices that are texts. */
  readonly characters: number
}

export function fateOf(keyword: string, value: unknown, { keywords, others }: SchemaRules): Fate {
  const rule = Object.hasOwn(keywords, keyword) ? keywords[keyword] : others
  const { becomes, only, otherwise } = rule ?? others
  return only === undefined || only.holds(value) ? becomes : (otherwise ?? 'dropped')
}

export interface NameRules {
  /** In UTF-16 units; at least 16, so that a hash fits in. */
  readonly maxLength: number
  /** Matches one legal name whole. The letter `a` may begin a name, `_` may stand anywhere in it. */
  readonly pattern: RegExp
  /** Who says so. */
  readonly source?: string | undefined
}
