/** What a grammar is made of, before it is written for a server. */

export type Expression =
  | { readonly kind: 'text'; readonly text: string }
  /** One character out of a set, as the inside of a bracket expression; `\\xHH` for units that cannot stand there. */
  | { readonly kind: 'set'; readonly set: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly kind: 'choice'; readonly options: readonly Expression[] }
  /** From `min` to `max` times; without a limit where `max` is absent. */
  | { readonly kind: 'repeat'; readonly of: Expression; readonly min: number; readonly max?: number | undefined }
  /** Another rule of the same grammar, which may hold itself. */
  | { readonly kind: 'rule'; readonly name: string }

export type Rules = ReadonlyMap<string, Expression>

export const text = (words: string): Expression => ({ kind: 'text', text: words })
export const set = (inside: string): Expression => ({ kind: 'set', set: inside })
export const choice = (...options: readonly Expression[]): Expression =>
  options.length === 1 ? (options[0] as Expression) : { kind: 'choice', options }
export const repeat = (of: Expression, min: number, max?: number): Expression => ({ kind: 'repeat', of, min, max })
export const optional = (of: Expression): Expression => repeat(of, 0, 1)
export const rule = (name: string): Expression => ({ kind: 'rule', name })

/** Texts behind each other become one, and sequences in it are taken apart. */
export function sequence(...parts: readonly Expression[]): Expression {
  const joined: Expression[] = []
  for (const part of parts.flatMap((one) => (one.kind === 'sequence' ? one.parts : [one]))) {
    const last = joined.at(-1)
    if (part.kind === 'text' && last?.kind === 'text') joined[joined.length - 1] = text(last.text + part.text)
    else if (part.kind !== 'text' || part.text !== '') joined.push(part)
  }
  return joined.length === 1 ? (joined[0] as Expression) : { kind: 'sequence', parts: joined }
}
