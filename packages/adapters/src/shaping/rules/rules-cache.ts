/** What is made once for a tool, by the rules and the mode that it was made for, and as long as the tool doesn't change. */
import type { ToolSpec } from '@x/tool-core'
import type { ToolRules } from './tool-rules.ts'

/** Rules are compared by identity: those of a host may be a modified copy with the same id. */
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

/** The spec at the time when something was derived from it: programs modify specs that are only read here. */
export type SpecSnapshot = Readonly<ToolSpec['function']>

export function snapshotOf({ function: { name, description, parameters } }: ToolSpec): SpecSnapshot {
  return { name, description, parameters }
}

export function isUnchanged({ function: now }: ToolSpec, { name, description, parameters }: SpecSnapshot): boolean {
  return now.name === name && now.description === description && now.parameters === parameters
}
