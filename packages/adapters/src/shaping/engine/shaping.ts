/** The state of one shaping: the rules, the losses so far, and how much may still be written. */

import type { Loss, LossAction } from '../loss.ts'
import type { RestorePlan } from '../restore.ts'
import type { SchemaRules } from '../rules/tool-rules.ts'
import type { SchemaNode } from '../schema/keywords.ts'
import type { Place } from '../schema/place.ts'

/** Maximum nesting of schemas. Deeper ones are cut. */
export const MAX_LEVELS = 100
/** Inlined references can grow without limit. */
const MAX_NODES = 50_000
const MAX_CHARACTERS = 4 * 1024 * 1024

/** A schema as sent, and the way back for its values. */
export interface Shaped {
  readonly schema: SchemaNode
  readonly plan?: RestorePlan | undefined
}

export type ShapeNode = (places: readonly Place[], shaping: Shaping, level: number) => Shaped

export class Shaping {
  readonly rules: SchemaRules
  /** The parameters, in which references are resolved. */
  readonly root: SchemaNode
  /** Shapes a nested schema: forms only know their own part of a schema. */
  readonly shapeNode: ShapeNode
  /** For the definitions that are sent, by their reference. */
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

  /** Why strict mode isn't used; the first reason. */
  get refusal(): Loss | undefined {
    return this.#refusal
  }

  /** Whether a plan changes arguments. */
  get restores(): boolean {
    return this.#restores
  }

  /** The plan itself if it changes arguments. */
  changing<Plan>(plan: Plan): Plan {
    this.#restores = true
    return plan
  }

  /** Once per position: a definition may be inlined in many places. */
  lose(path: string, keyword: string, action: LossAction, note?: string): void {
    const loss: Loss = note === undefined ? { path, keyword, action } : { path, keyword, action, note }
    if (action === 'refused') this.#refusal ??= loss
    const key = `${action} ${keyword} ${path}`
    if (!this.#losses.has(key)) this.#losses.set(key, loss)
  }

  /** A whole schema isn't sent. */
  cut(path: string, note: string): void {
    this.lose(path, WHOLE, this.rules.strict ? 'refused' : 'widened', note)
  }

  /** False once the limit is reached. */
  spend(characters: number): boolean {
    this.#nodes++
    this.#characters += characters
    return this.#nodes <= MAX_NODES && this.#characters <= MAX_CHARACTERS
  }
}

/** Stands for all keywords of a schema in a loss. */
export const WHOLE = 'schema'
