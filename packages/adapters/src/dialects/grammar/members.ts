/** Writes object members in a fixed order, of which optional ones may be omitted. Repeats each member as rarely as possible. */
import { choice, type Expression, optional, type Rules, rule, sequence, some, text } from './expression.ts'
import { COMMA } from './json-rules.ts'

export interface Member {
  readonly isRequired: boolean
  readonly expression: Expression
}

/** Writes the members. Rules that are created for suffixes of the list get names that start with `name`. */
export function membersInOrder(members: readonly Member[], name: string): Expression {
  const firstRequired = members.findIndex(({ isRequired }) => isRequired)
  const all = members.map(({ expression }) => expression)
  if (firstRequired === -1) return all.length === 0 ? text('') : optional(some(name, all))
  const before = firstRequired === 0 ? text('') : optional(sequence(some(name, all.slice(0, firstRequired)), COMMA))
  const after = members.slice(firstRequired + 1).map(({ isRequired, expression }) => {
    const more = sequence(COMMA, expression)
    return isRequired ? more : optional(more)
  })
  return sequence(before, all[firstRequired] as Expression, ...after)
}

/** Writes a rule for each suffix of the list, so that each member is written once. The first rule matches the whole list. */
export function someAsRules(name: string, of: readonly Expression[]): Rules {
  const rules = of.map((first, place) => {
    if (place === of.length - 1) return [`${name}-${place}`, first] as const
    const rest = rule(`${name}-${place + 1}`)
    return [`${name}-${place}`, choice(sequence(first, optional(sequence(COMMA, rest))), rest)] as const
  })
  return new Map(rules)
}

/**
 * Writes the list without rules. Members must then be repeated, n log n times in total. There are two alternatives: one or more
 * members of the first half and any members of the second, or only members of the second half.
 */
export function someWithoutRules(of: readonly Expression[]): Expression {
  if (of.length === 1) return of[0] as Expression
  const half = of.length >> 1
  const late = of.slice(half)
  const following = late.map((one) => optional(sequence(COMMA, one)))
  return choice(sequence(someWithoutRules(of.slice(0, half)), ...following), someWithoutRules(late))
}
