/** State of shaping a schema: the rules, the losses and the size so far. */

import type { Loss, LossAction } from '../loss.ts'
import type { RestorePlan } from '../restore.ts'
import type { SchemaRules } from '../rules/tool-rules.ts'
import type { SchemaNode } from '../schema/keywords.ts'
import type { Place } from '../schema/place.ts'

/** Maximum nesting depth. A deeper schema is replaced with one that allows any value or any object. */
export const MAX_LEVELS = 100
/** Maximum number of nodes. The limit is needed because inlined references can multiply the size. */
const MAX_NODES = 50_000
const MAX_CHARACTERS = 4 * 1024 * 1024

/** A shaped schema, and the plan to restore its values. */
export interface Shaped {
  readonly schema: SchemaNode
  readonly plan?: RestorePlan | undefined
}

export type ShapeNode = (places: readonly Place[], shaping: Shaping, level: number) => Shaped

export class Shaping {
  readonly rules: SchemaRules
  /** The tool's parameters, in which references are resolved. */
  readonly root: SchemaNode
  /** Shapes a nested schema. */
  readonly shapeNode: ShapeNode
  /** Restore plans for the definitions that are sent, by reference. */
  readonly plans = new Map<string, RestorePlan>()
  readonly #losses = new Map<string, Loss>()
  #refusal: Loss | undefined
  #restores = false
  #nodes = 0
  #characters = 0

  constructor(root: SchemaNode, rules: SchemaRules, shapeNode: ShapeNode) {
    this.root = root
    this.rules = rules
    this.shapeNode = shapeNode
  }

  get losses(): readonly Loss[] {
    return [...this.#losses.values()]
  }

  /** The first loss that prevents strict mode. */
  get refusal(): Loss | undefined {
    return this.#refusal
  }

  /** True if a plan changes arguments. */
  get restores(): boolean {
    return this.#restores
  }

  /** Returns the plan, and records that it changes arguments. */
  changing<Plan>(plan: Plan): Plan {
    this.#restores = true
    return plan
  }

  /** Reports a loss once per position, because a definition may be inlined in many places. */
  lose(path: string, keyword: string, action: LossAction, note?: string): void {
    const loss: Loss = note === undefined ? { path, keyword, action } : { path, keyword, action, note }
    if (action === 'refused') this.#refusal ??= loss
    const key = `${action} ${keyword} ${path}`
    if (!this.#losses.has(key)) this.#losses.set(key, loss)
  }

  /** Reports that a whole schema isn't sent. */
  cut(path: string, note: string): void {
    this.lose(path, WHOLE, this.rules.strict ? 'refused' : 'widened', note)
  }

  /** Counts a node and its characters. Returns false once a limit is reached. */
  spend(characters: number): boolean {
    this.#nodes++
    this.#characters += characters
    return this.#nodes <= MAX_NODES && this.#characters <= MAX_CHARACTERS
  }
}

/** The keyword in a loss that affects a whole schema. */
export const WHOLE = 'schema'
