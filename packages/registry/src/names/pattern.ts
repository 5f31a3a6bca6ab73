/** A name, or a prefix with `*`: what can be asked of a registry. */

type PrefixOf<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}_*` | `${Head}_${PrefixOf<Tail>}`
  : never

/** `'get_weather'` or `'memory_*'`. */
export type NamePattern<Name extends string> = Name | PrefixOf<Name>

/** The names that a pattern stands for; empty when none fits. */
export function namesMatching(pattern: string, names: Iterable<string>): readonly string[] {
  const all = [...names]
  if (!pattern.endsWith('*')) return all.includes(pattern) ? [pattern] : []
  const prefix = pattern.slice(0, -1)
  return all.filter((name) => name.startsWith(prefix))
}
