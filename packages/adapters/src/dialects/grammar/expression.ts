/** A grammar expression, independent of the syntax that a server accepts. */

export type Expression =
  | { readonly kind: 'text'; readonly text: string }
  /**
   * One character of a set, as written inside brackets, for example `a-z`. Characters that aren't allowed there are written as
   * `\xHH`.
   */
  | { readonly kind: 'set'; readonly set: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly kind: 'choice'; readonly options: readonly Expression[] }
  /** At least `min` and at most `max` repetitions. Unlimited without `max`. */
  | { readonly kind: 'repeat'; readonly of: Expression; readonly min: number; readonly max?: number | undefined }
  /**
   * One or more of these expressions, in this order, with commas in between. In GBNF, each suffix of the list becomes a rule,
   * named after `name` and its position.
   */
  | { readonly kind: 'some'; readonly name: string; readonly of: readonly Expression[] }
  /** A reference to a rule. If the rule may contain itself, a regular expression limits its depth. */
  | { readonly kind: 'rule'; readonly name: string; readonly mayHoldItself: boolean }

export type Rules = ReadonlyMap<string, Expression>

export const text = (words: string): Expression => ({ kind: 'text', text: words })
export const set = (inside: string): Expression => ({ kind: 'set', set: inside })
export const choice = (...options: readonly Expression[]): Expression =>
  options.length === 1 ? (options[0] as Expression) : { kind: 'choice', options }
export const repeat = (of: Expression, min: number, max?: number): Expression => ({ kind: 'repeat', of, min, max })
export const optional = (of: Expression): Expression => repeat(of, 0, 1)
export const some = (name: string, of: readonly Expression[]): Expression => ({ kind: 'some', name, of })
export const rule = (name: string, mayHoldItself = false): Expression => ({ kind: 'rule', name, mayHoldItself })

/** Concatenates expressions. Adjacent strings are joined, and nested sequences are flattened. */
export function sequence(...parts: readonly Expression[]): Expression {
  const joined: Expression[] = []
  for (const part of parts.flatMap((one) => (one.kind === 'sequence' ? one.parts : [one]))) {
    const last = joined.at(-1)
    if (part.kind === 'text' && last?.kind === 'text') joined[joined.length - 1] = text(last.text + part.text)
    else if (part.kind !== 'text' || part.text !== '') joined.push(part)
  }
  return joined.length === 1 ? (joined[0] as Expression) : { kind: 'sequence', parts: joined }
}

/** Follows rules that only refer to another rule, and returns the last reference. The rules must not form a cycle. */
export function resolveRule(first: Rule, rules: Rules): Rule {
  let last = first
  let { mayHoldItself } = first
  for (let next = rules.get(first.name); next?.kind === 'rule'; next = rules.get(next.name)) {
    last = next
    mayHoldItself ||= next.mayHoldItself
  }
  return { ...last, mayHoldItself }
}

type Rule = Extract<Expression, { kind: 'rule' }>

/** Writes the limits of a `repeat`. The syntax is the same in GBNF and in regular expressions. */
export function times(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}
