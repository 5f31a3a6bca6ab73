/** What a run has used of tokens and money, and what it may use. */
import type { Usage } from '@x/adapters'

/** What a run may use at most; looked at before each request to the model, so the last one may go over it. */
export interface Budget {
  /** Tokens in and out, in all. */
  readonly tokens?: number | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  /** In the currency of `prices`. */
  readonly cost?: number | undefined
}

/** For a million tokens each. What is read from the provider's cache costs `cachedInput`; as much as `input` unless told. */
export interface Prices {
  readonly input: number
  readonly output: number
  readonly cachedInput?: number | undefined
}

export class Spending {
  usage: Usage
  /** Tokens of the last request with its reply. */
  lastTokens = 0
  readonly #budget: Budget
  readonly #isLimited: boolean
  readonly #prices: Prices | undefined

  constructor(budget: Budget, prices: Prices | undefined, usage: Usage = {}) {
    this.#budget = budget
    this.#isLimited = Object.keys(budget).length > 0
    this.#prices = prices
    this.usage = usage
  }

  /** Returns the names of amounts that don't count: a provider may report anything. */
  add(usage: Usage = {}): readonly (keyof Usage)[] {
    const wrong = (Object.keys(usage) as (keyof Usage)[]).filter((name) => !isAmount(usage[name]))
    const counted =
      wrong.length === 0 ? usage : Object.fromEntries(Object.entries(usage).filter(([, amount]) => isAmount(amount)))
    this.lastTokens = (counted.inputTokens ?? 0) + (counted.outputTokens ?? 0)
    this.addOfCall(counted)
    return wrong
  }

  /** Of requests that are not of this conversation. */
  addOfCall(usage: Usage): void {
    this.usage = sumOf(this.usage, usage)
  }

  /** Undefined without prices, and where no usage was reported: what is not known is not nothing. */
  get cost(): number | undefined {
    if (this.#prices === undefined || (this.usage.inputTokens ?? this.usage.outputTokens) === undefined) return undefined
    const { input, output, cachedInput = input } = this.#prices
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 } = this.usage
    return ((inputTokens - cacheReadTokens) * input + cacheReadTokens * cachedInput + outputTokens * output) / 1_000_000
  }

  /** What is used up, in words; undefined while nothing is. */
  usedUp(): string | undefined {
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

/** Tokens, which are whole and not negative; or undefined, which says nothing. */
export function isAmount(amount: unknown): boolean {
  return amount === undefined || (Number.isSafeInteger(amount) && (amount as number) >= 0)
}

export function sumOf(total: Usage, usage: Usage): Usage {
  const keys = new Set([...Object.keys(total), ...Object.keys(usage)] as (keyof Usage)[])
  const add = (key: keyof Usage) =>
    total[key] === undefined && usage[key] === undefined ? undefined : (total[key] ?? 0) + (usage[key] ?? 0)
  return Object.fromEntries([...keys].map((key) => [key, add(key)]))
}

/** Progress of a tool that asks a model itself, as `call_progress` of the run: what one request used. Plain data. */
export interface ModelUsage {
  readonly type: 'model_usage'
  readonly usage: Usage
}

/** True for such progress, with amounts that can be added up. */
export function isModelUsage(update: unknown): update is ModelUsage {
  const { type, usage } = (update ?? {}) as { type?: unknown; usage?: unknown }
  if (type !== 'model_usage' || typeof usage !== 'object' || usage === null) return false
  return Object.values(usage).every(isAmount)
}
