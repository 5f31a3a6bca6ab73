/** The token usage and cost of a run, and their limits. */
import type { Usage } from '@x/adapters'

/** Limits for a run. They are checked before each request to the model, so the last request may exceed them. */
export interface Budget {
  /** Input and output tokens together. */
  readonly tokens?: number | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** Maximum cost, in the currency of `prices`. */
  readonly cost?: number | undefined
}

/**
 * Prices per million tokens. `cachedInput` applies to tokens read from the provider's prompt cache, and `cacheWrite` to tokens written to it.
 * Default of both: the price of `input`.
 */
export interface Prices {
  readonly input: number
  readonly output: number
  readonly cachedInput?: number | undefined
  readonly cacheWrite?: number | undefined
}

export class Spending {
  usage: Usage
  /** Tokens of the last request and its reply. */
  lastTokens = 0
  readonly #budget: Budget
  readonly #isLimited: boolean
  readonly #prices: Prices | undefined
  /**
   * Set if this is the usage of a call: the usage of the run or call around it. Amounts are added to both, and the outer budget limits
   * both.
   */
  readonly #outer: Spending | undefined

  constructor(budget: Budget, prices: Prices | undefined, usage: Usage = {}, outer?: Spending) {
    this.#budget = budget
    this.#isLimited = Object.keys(budget).length > 0
    this.#prices = prices
    this.#outer = outer
    this.usage = usage
  }

  /** Creates the usage of one call. Amounts that are added to it are also added here. */
  ofCall(): Spending {
    return new Spending({}, undefined, {}, this)
  }

  /** Removes the usage of this call from the outer ones, because the call is executed again and its usage is counted again. */
  takeBack(): void {
    this.#outer?.addOfCall(negated(this.usage))
    this.usage = {}
  }

  /** Adds the usage of a response. Returns the names of invalid amounts, which aren't counted. */
  add(usage: Usage = {}): readonly (keyof Usage)[] {
    const wrong = (Object.keys(usage) as (keyof Usage)[]).filter((name) => !isAmount(usage[name]))
    const counted =
      wrong.length === 0 ? usage : (Object.fromEntries(Object.entries(usage).filter(([, amount]) => isAmount(amount))) as Usage)
    this.setLast(counted)
    this.addOfCall(counted)
    return wrong
  }

  /** Sets `lastTokens` from the usage of the last response. */
  setLast({ inputTokens = 0, outputTokens = 0 }: Usage): void {
    this.lastTokens = inputTokens + outputTokens
  }

  /** Adds usage that isn't part of this conversation, such as that of a call. */
  addOfCall(usage: Usage): void {
    this.usage = sumOf(this.usage, usage)
    this.#outer?.addOfCall(usage)
  }

  /** The cost of the usage so far. Undefined without prices, or if the provider reported no usage. */
  get cost(): number | undefined {
    if (this.#prices === undefined || (this.usage.inputTokens ?? this.usage.outputTokens) === undefined) return undefined
    const { input, output, cachedInput = input, cacheWrite = input } = this.#prices
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0 } = this.usage
    // Cached counts above the total input would lower the cost.
    const cached = Math.min(cacheReadTokens, inputTokens)
    const written = Math.min(cacheWriteTokens, inputTokens - cached)
    const rest = inputTokens - cached - written
    return (rest * input + cached * cachedInput + written * cacheWrite + outputTokens * output) / 1_000_000
  }

  /** Describes the limit of this run, or of an outer one, that is used up. Returns undefined if no limit is used up. */
  usedUp(run = 'run'): string | undefined {
    const own = this.#usedUp()
    return own === undefined ? this.#outer?.usedUp('outer run') : `The budget of the ${run} is used up (${own}).`
  }

  #usedUp(): string | undefined {
    if (!this.#isLimited) return undefined
    const { inputTokens = 0, outputTokens = 0 } = this.usage
    const used: Readonly<Record<keyof Budget, number>> = {
      tokens: inputTokens + outputTokens,
      inputTokens,
      outputTokens,
      cost: this.cost ?? 0,
    }
    const name = (Object.keys(used) as (keyof Budget)[]).find(
      (key) => used[key] >= (this.#budget[key] ?? Number.POSITIVE_INFINITY),
    )
    return name && `${name}: ${used[name]} of ${this.#budget[name]}`
  }
}

/** Returns true for a whole number of 0 or more, and for undefined. */
function isAmount(amount: unknown): boolean {
  return amount === undefined || (Number.isSafeInteger(amount) && (amount as number) >= 0)
}

/** Adds amounts with the same name. A provider may send any name, such as `constructor`. */
export function sumOf(total: Usage, usage: Usage): Usage {
  if (Object.keys(usage).length === 0) return total
  const sums = new Map<string, number | undefined>(Object.entries(total))
  for (const [name, amount] of Object.entries(usage) as [string, number | undefined][])
    sums.set(name, amount === undefined ? sums.get(name) : (sums.get(name) ?? 0) + amount)
  return Object.fromEntries(sums)
}

/** Subtracts a part from the usage. */
export function without(total: Usage, part: Usage): Usage {
  return sumOf(total, negated(part))
}

function negated(usage: Usage): Usage {
  return Object.fromEntries(Object.entries(usage).map(([name, amount]) => [name, amount === undefined ? amount : -amount]))
}

/**
 * Progress that a tool reports when it calls a model itself: the usage of one request, as the `update` of a `call_progress` event. Plain
 * data.
 */
export interface ModelUsage {
  readonly type: 'model_usage'
  readonly usage: Usage
}

/** Returns true for a `ModelUsage` with valid amounts. */
export function isModelUsage(update: unknown): update is ModelUsage {
  const { type, usage } = (update ?? {}) as { type?: unknown; usage?: unknown }
  if (type !== 'model_usage' || typeof usage !== 'object' || usage === null) return false
  return Object.values(usage).every(isAmount)
}
