/** Caches values that are derived from a tool, by rules and mode, until the tool changes. */
import type { ToolSpec } from '@x/tool-core'
import type { ToolRules } from './tool-rules.ts'

/** A cache by rules and mode. Compares rules by identity, because a host may have a modified copy with the same id. */
export class RulesCache<Key extends object, Value> {
  readonly #known = new WeakMap<Key, WeakMap<ToolRules, { plain?: Value; strict?: Value }>>()

  get(key: Key, rules: ToolRules, strict: boolean): Value | undefined {
    return this.#known.get(key)?.get(rules)?.[strict ? 'strict' : 'plain']
  }

  set(key: Key, rules: ToolRules, strict: boolean, value: Value): void {
    const byRules = this.#known.get(key) ?? new WeakMap<ToolRules, { plain?: Value; strict?: Value }>()
    this.#known.set(key, byRules)
    byRules.set(rules, { ...byRules.get(rules), [strict ? 'strict' : 'plain']: value })
  }
}

/** The fields of a tool spec at the time when a value was derived from it. Used to detect changes. */
export type SpecSnapshot = Readonly<ToolSpec['function']>

export function snapshotOf({ function: { name, description, parameters } }: ToolSpec): SpecSnapshot {
  return { name, description, parameters }
}

export function isUnchanged({ function: now }: ToolSpec, { name, description, parameters }: SpecSnapshot): boolean {
  return now.name === name && now.description === description && now.parameters === parameters
}
