/** Grammar rules for JSON values of each type. */
import { choice, type Expression, optional, repeat, rule, sequence, set, text } from './expression.ts'

/** At most one space. Otherwise, a model could write spaces forever. */
export const SPACE = optional(text(' '))
/** A comma between items or members. */
export const COMMA = sequence(text(','), SPACE)
const HEX = set('0-9a-fA-F')
const ESCAPED = sequence(text('\\'), choice(set('"\\\\/bfnrt'), sequence(text('u'), repeat(HEX, 4, 4))))
const CHARACTER = choice(set('^"\\\\\\x00-\\x1f\\x7f'), ESCAPED)
/** Maximum number of digits in a fraction. A double never needs more, because smaller numbers have an exponent. */
const FRACTION = 22
/** Maximum number of digits after the first one. A double can't represent all longer integers. */
const DIGITS = 15

export function string(min = 0, max?: number): Expression {
  return sequence(text('"'), repeat(CHARACTER, min, max), text('"'))
}

/** Any string. It has its own rule, because almost every schema uses it several times. */
export const STRING = rule('string')

export function integer(isNegative: boolean): Expression {
  return sequence(isNegative ? optional(text('-')) : text(''), WHOLE)
}

const WHOLE = choice(text('0'), sequence(set('1-9'), repeat(set('0-9'), 0, DIGITS)))

export function number(isNegative: boolean): Expression {
  const fraction = sequence(text('.'), repeat(set('0-9'), 1, FRACTION))
  const exponent = sequence(set('eE'), optional(set('-+')), repeat(set('0-9'), 1, 3))
  return sequence(integer(isNegative), optional(fraction), optional(exponent))
}

export const BOOLEAN = choice(text('true'), text('false'))
export const NULL = text('null')

/** Returns the rule for a list: `[`, items separated by commas, `]`. */
export function list(item: Expression, min = 0, max?: number): Expression {
  const more = repeat(sequence(COMMA, item), Math.max(0, min - 1), max === undefined ? undefined : max - 1)
  const items = max === 0 ? text('') : min > 0 ? sequence(item, more) : optional(sequence(item, more))
  return sequence(text('['), items, text(']'))
}

export function member(key: Expression, value: Expression): Expression {
  return sequence(key, text(':'), SPACE, value)
}

/** Returns the rule for an object with any keys, whose values all match the same expression. */
export function record(value: Expression): Expression {
  const one = member(STRING, value)
  return sequence(text('{'), optional(sequence(one, repeat(sequence(COMMA, one), 0))), text('}'))
}

/** A recursive rule for any JSON value. */
export const VALUE = rule('value', true)
export const OBJECT = rule('object', true)
export const JSON_RULES = new Map<string, Expression>([
  ['string', string()],
  ['value', choice(OBJECT, rule('array', true), STRING, number(true), BOOLEAN, NULL)],
  ['object', record(VALUE)],
  ['array', list(VALUE)],
])
