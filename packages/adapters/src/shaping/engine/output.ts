/** The schema that is being written for one position: its keywords in order, its description, and its restore plan. */

import type { RestorePlan } from '../restore.ts'
import { type Fate, fateOf } from '../rules/tool-rules.ts'
import type { SchemaNode } from '../schema/keywords.ts'
import type { Combined, Held } from './combine.ts'
import type { Shaped, Shaping } from './shaping.ts'
import { describe, hasWords, toWords } from './words.ts'

export class Output {
  readonly combined: Combined
  readonly shaping: Shaping
  readonly level: number
  /** JSON pointer to the schema. */
  readonly path: string
  #plan: RestorePlan | undefined
  readonly #keywords = new Map<string, unknown>()
  readonly #moved = new Map<string, unknown>()

  constructor(path: string, combined: Combined, shaping: Shaping, level: number) {
    this.path = path
    this.combined = combined
    this.shaping = shaping
    this.level = level
  }

  value(keyword: string): unknown {
    return this.combined.get(keyword)?.value
  }

  set(keyword: string, value: unknown): void {
    this.#keywords.set(keyword, value)
  }

  has(keyword: string): boolean {
    return this.#keywords.has(keyword)
  }

  plan(plan: RestorePlan): void {
    this.#plan = { ...this.#plan, ...plan, also: [...(this.#plan?.also ?? []), ...(plan.also ?? [])] }
  }

  /** Applies the dialect's rule to a keyword, unless special code writes it. */
  decide(keyword: string, held: Held): void {
    this.apply(fateOf(keyword, held.value, this.shaping.rules), keyword, held)
  }

  apply(fate: Fate, keyword: string, held: Held): void {
    if (fate === 'kept') this.set(keyword, held.value)
    else if (fate === 'described') this.move(keyword, held)
    else this.lose(keyword, held, fate)
  }

  /** Moves a keyword into the description, unless its text is too long. */
  move(keyword: string, held: Held, value = held.value): void {
    if (!hasWords(keyword, value)) {
      this.lose(keyword, held, 'dropped', 'too long for a description')
      return
    }
    this.#moved.set(keyword, value)
    this.lose(keyword, held, 'moved_to_description')
  }

  lose(keyword: string, { places }: Held, action: Parameters<Shaping['lose']>[2], note?: string): void {
    for (const { path } of places) this.shaping.lose(path, keyword, action, note)
  }

  inner(places: Parameters<Shaping['shapeNode']>[0]): Shaped {
    return this.shaping.shapeNode(places, this.shaping, this.level + 1)
  }

  /** Returns the finished schema. Its description includes the keywords that were moved there. */
  end(): Shaped {
    if (this.#moved.size > 0) this.set('description', describe(this.#keywords.get('description'), toWords(this.#moved)))
    const schema: SchemaNode = Object.fromEntries(this.#keywords)
    return this.#plan === undefined ? { schema } : { schema, plan: this.#plan }
  }
}
