/** The types of the table of model facts: what a model accepts, limits and has. Types only. */
import type { Settings } from '../../protocol/protocol.ts'

/**
 * Facts about one model. Each is optional: an absent fact is unknown, and nothing is changed because of it. `createLM({ facts })` overrides
 * facts of the table, each as a whole.
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
  /** How reasoning is requested. False: the model has no reasoning. */
  readonly reasoning?: ReasoningFacts | false | undefined
  /** False: the model rejects tools. `without_reasoning`: it accepts them only while reasoning is off. Default: it accepts them. */
  readonly tools?: boolean | 'without_reasoning' | undefined
  /** False: the model rejects a forced call. `without_reasoning`: it accepts one only while reasoning is off. */
  readonly forcedCalls?: boolean | 'without_reasoning' | undefined
  /** False: the model rejects the switch for parallel calls. */
  readonly parallelSwitch?: boolean | undefined
  /** False: the model rejects strict tools, so they are sent without strict mode. */
  readonly strictTools?: boolean | undefined
  /** False: the model rejects a JSON Schema for its reply, so that only JSON is requested. */
  readonly structuredOutput?: boolean | undefined
  /** Kinds of input that the model accepts besides text. An input of any other kind is replaced with text that names it. */
  readonly input?: readonly InputKind[] | undefined
  /** How the provider caches prompts. */
  readonly cache?: CacheFacts | undefined
  /** True: the API can defer tools and search them. */
  readonly toolSearch?: boolean | undefined
  /** Names of the wires that serve the model, if the provider has others that don't: `['openai-responses']`. */
  readonly wires?: readonly string[] | undefined
}

export interface Refusal {
  readonly settings: readonly (keyof Settings)[]
  /**
   * - `always`: in every request.
   * - `reasoning`: unless reasoning is off.
   * - `high_effort`: while the effort is high.
   * - `together`: more than one of the settings in the same request.
   */
  readonly when: 'always' | 'reasoning' | 'high_effort' | 'together'
  /** The lowest `topP` that is accepted despite the refusal. */
  readonly leastTopP?: number | undefined
}

export type InputKind = 'image' | 'pdf' | 'audio' | 'video'

export interface ReasoningFacts {
  /**
   * - `effort`: a level of effort.
   * - `adaptive`: the model decides, within a level of effort.
   * - `budget`: a number of tokens.
   * - `switch`: only on or off.
   */
  readonly form: 'effort' | 'adaptive' | 'budget' | 'switch'
  /** Efforts that the model accepts besides off, lowest first. */
  readonly efforts?: readonly Effort[] | undefined
  /** Smallest and largest budget that the model accepts, in tokens. Absent if it rejects a budget. */
  readonly budget?: readonly [least: number, most: number] | undefined
  /** True: the model reasons in a request that says nothing about reasoning. */
  readonly byDefault: boolean
  /** True: reasoning can be turned off. */
  readonly canBeOff: boolean
}

export type Effort = 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'

export interface CacheFacts {
  /**
   * - `marks`: the prompt is cached up to blocks that the request marks.
   * - `key`: the prompt is cached without marks. A key routes requests with the same start to the same cache.
   * - `automatic`: the prompt is cached, and a request can't influence it.
   * - `none`: the prompt isn't cached.
   */
  readonly form: 'marks' | 'key' | 'automatic' | 'none'
  /** Maximum number of marks. With the form `key`: the API also accepts this many marks. */
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
  /** Facts that differ on a wire, by the wire's name. */
  readonly on?: Readonly<Record<string, ModelFacts>> | undefined
  /** True if these names are newer than the table, so that the facts are those of the newest known models. */
  readonly assumed?: true | undefined
}

/** The rows of one provider. The first row that matches applies. */
export interface FactFamily {
  readonly name: string
  /** Converts a model's name to the form of the rows. The name has no prefix and is in lower case. */
  readonly rename?: ((name: string) => string) | undefined
  /** Facts about all models that differ on a wire, by the wire's name. */
  readonly on?: Readonly<Record<string, ModelFacts>> | undefined
  readonly rows: readonly FactRow[]
}

/**
 * The facts that apply to one request. `source` is where they are from: a row of the table, a row for names that are newer than the table,
 * or none because the model isn't in the table.
 */
export interface ResolvedFacts extends ModelFacts {
  readonly source: 'table' | 'assumed' | 'unknown'
}

/** Reports that a fact is assumed, because the model isn't in the table. */
export type Assume = (fact: keyof ModelFacts) => void
