/** One shaping under way: the rules, what was lost so far, and how much may still be written. */

import type { SchemaNode } from './keywords.ts'
import type { Loss, LossAction } from './loss.ts'
import type { Place } from './place.ts'
import type { RestorePlan } from './restore.ts'
import type { SchemaRules } from './tool-rules.ts'

/** Schemas inside schemas. What is deeper is cut: a model reads no such thing. */
export const MAX_LEVELS = 100
/** Written-out references can grow without end. */
const MAX_NODES = 50_000
const MAX_CHARACTERS = 4 * 1024 * 1024

/** A schema as it is sent, and the way back for values of it. */
export interface Shaped {
  readonly schema: SchemaNode
  readonly plan?: RestorePlan | undefined
}

export type ShapeNode = (places: readonly Place[], shaping: Shaping, level: number) => Shaped

export class Shaping {
  readonly rules: SchemaRules
  /** The parameters, in which references are looked up. */
  readonly root: SchemaNode
  /** Shapes what stands inside: forms know only their own part of a schema. */
  readonly shapeNode: ShapeNode
  /** Of the definitions that are sent, by the reference to them. */
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

  /** Why a strict mode is not used; the first reason. */
  get refusal(): Loss | undefined {
    return this.#refusal
  }

  /** Is there anything in a plan that changes args? */
  get restores(): boolean {
    return this.#restores
  }

  /** The plan as it is, which changes args. */
  changing<Plan>(plan: Plan): Plan {
    this.#restores = true
    return plan
  }

  /** Once for each place: a definition may be written out at many. */
  lose(path: string, keyword: string, action: LossAction, note?: string): void {
    const loss: Loss = note === undefined ? { path, keyword, action } : { path, keyword, action, note }
    if (action === 'refused') this.#refusal ??= loss
    const key = `${action} ${keyword} ${path}`
    if (!this.#losses.has(key)) this.#losses.set(key, loss)
  }

  /** A whole schema is not sent. */
  cut(path: string, note: string): void {
    this.lose(path, WHOLE, this.rules.strict ? 'refused' : 'widened', note)
  }

  /** False when so much was written that nothing more may be. */
  spend(characters: number): boolean {
    this.#nodes++
    this.#characters += characters
    return this.#nodes <= MAX_NODES && this.#characters <= MAX_CHARACTERS
  }
}

/** Stands for all keywords of a schema in a loss. */
export const WHOLE = 'schema'
