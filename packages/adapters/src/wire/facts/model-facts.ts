/** The types of the table of model facts: what a model accepts, its limits and its features. Types only. */
import type { Settings } from '../../protocol/protocol.ts'

/**
 * Facts about one model. Every fact is optional. If a fact is unknown, the request isn't changed because of it. A fact in `createLM({
 * facts })` replaces the fact of the table as a whole.
 */
export interface ModelFacts {
  /** Context length in tokens: input and output together. */
  readonly contextTokens?: number | undefined
  /** Maximum number of output tokens of one reply, including reasoning. */
  readonly maxOutputTokens?: number | undefined
  /** Output limit that the API applies to a request without one, in tokens. Default: `maxOutputTokens`. */
  readonly defaultOutputTokens?: number | undefined
  /** Settings that the model rejects with an error. */
  readonly refuses?: readonly Refusal[] | undefined
  /** How reasoning is requested. False if the model has no reasoning. */
  readonly reasoning?: ReasoningFacts | false | undefined
  /**
   * False if the model rejects tools. `without_reasoning` if it accepts them only while reasoning is off. Default: the model accepts
   * tools.
   */
  readonly tools?: boolean | 'without_reasoning' | undefined
  /** False if the model rejects a forced call. `without_reasoning` if it accepts a forced call only while reasoning is off. */
  readonly forcedCalls?: boolean | 'without_reasoning' | undefined
  /** False if the model rejects the switch for parallel calls. */
  readonly parallelSwitch?: boolean | undefined
  /** False if the model rejects strict tools. They are then sent without strict mode. */
  readonly strictTools?: boolean | undefined
  /** False if the model rejects a JSON Schema for its reply. Only JSON is then requested, without a schema. */
  readonly structuredOutput?: boolean | undefined
  /** Kinds of input that the model accepts besides text. An input of any other kind is replaced with text that names it. */
  readonly input?: readonly InputKind[] | undefined
  /** How the provider caches prompts. */
  readonly cache?: CacheFacts | undefined
  /** True if the API can defer tools and search them. */
  readonly toolSearch?: boolean | undefined
  /** Names of the wire formats that serve the model, such as `['openai-responses']`. Default: all wire formats of the provider. */
  readonly wires?: readonly string[] | undefined
}

export interface Refusal {
  readonly settings: readonly (keyof Settings)[]
  /**
   * When the model rejects the settings:
   * - `always`: in every request.
   * - `reasoning`: unless reasoning is off.
   * - `high_effort`: while the effort is high.
   * - `together`: if a request has more than one of them.
   */
  readonly when: 'always' | 'reasoning' | 'high_effort' | 'together'
  /** The model accepts `topP` from this value upwards in spite of the refusal. */
  readonly leastTopP?: number | undefined
}

export type InputKind = 'image' | 'pdf' | 'audio' | 'video'

export interface ReasoningFacts {
  /**
   * How a request asks for reasoning:
   * - `effort`: with a level of effort.
   * - `adaptive`: with a level of effort, within which the model decides how much to reason.
   * - `budget`: with a number of tokens.
   * - `switch`: by turning it on or off.
   */
  readonly form: 'effort' | 'adaptive' | 'budget' | 'switch'
  /** Efforts that the model accepts besides off, lowest first. */
  readonly efforts?: readonly Effort[] | undefined
  /** Smallest and largest budget that the model accepts, in tokens. Absent if it rejects a budget. */
  readonly budget?: readonly [least: number, most: number] | undefined
  /** True if the model reasons in a request without a reasoning setting. */
  readonly byDefault: boolean
  /** True if reasoning can be turned off. */
  readonly canBeOff: boolean
}

export type Effort = 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export interface CacheFacts {
  /**
   * How prompts are cached:
   * - `marks`: up to the blocks that the request marks.
   * - `key`: without marks. A key routes requests with the same start to the same cache.
   * - `automatic`: without marks, and a request can't influence it.
   * - `none`: not at all.
   */
  readonly form: 'marks' | 'key' | 'automatic' | 'none'
  /** Maximum number of marks. If it is set with the form `key`, the API also accepts marks. */
  readonly maxMarks?: number | undefined
  /** Minimum length of a cached prompt, in tokens. */
  readonly minTokens?: number | undefined
}

/** Models with the same facts. */
export interface FactRow {
  /**
   * Starts of model names, in lower case and without the provider's prefix. `gpt-5` also matches `gpt-5-mini` and `gpt-5-2025-08-07`, but
   * no other version, such as `gpt-5.1`. With a star at the end, it matches every name with this start.
   */
  readonly models: readonly string[]
  readonly facts: ModelFacts
  /** Facts that differ in one wire format, by the name of the wire format. */
  readonly on?: Readonly<Record<string, ModelFacts>> | undefined
  /** True if the row is for models that are newer than the table. Their facts are assumed to be those of the newest known models. */
  readonly assumed?: true | undefined
}

/** The rows of one provider. The first row that matches applies. */
export interface FactFamily {
  readonly name: string
  /** Converts a model's name to the form of the rows. The name has no prefix and is in lower case. */
  readonly rename?: ((name: string) => string) | undefined
  /** Facts about all models that differ in one wire format, by the name of the wire format. */
  readonly on?: Readonly<Record<string, ModelFacts>> | undefined
  readonly rows: readonly FactRow[]
}

/**
 * The facts that apply to one request. `source` is `table` if the model is in the table, `assumed` if it is newer than the table, and
 * `unknown` if the table has no facts about it.
 */
export interface ResolvedFacts extends ModelFacts {
  readonly source: 'table' | 'assumed' | 'unknown'
}

/** Reports that a fact is assumed, because the model isn't in the table. */
export type Assume = (fact: keyof ModelFacts) => void
