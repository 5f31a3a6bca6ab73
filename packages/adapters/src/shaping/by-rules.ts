/** What is made once for an object, by the rules and the mode that it was made for. */
import type { ToolRules } from './tool-rules.ts'

/** Rules are told apart as objects: those of a host may well be a changed copy, with the same id. */
export class ByRules<Key extends object, Value> {
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
