/** A grammar as one regular expression of the kind that Python, Rust and JavaScript share: rules are written out, so far as they nest. */
import { type Expression, type Rules, text } from './expression.ts'

/** @param depth How often rules are written out inside each other; below that, only what needs no rule is left. */
export function writeRegex(root: Expression, rules: Rules, depth: number): string {
  return write(root, rules, depth) ?? NOTHING
}

const NOTHING = '[^\\s\\S]'

/** Undefined for what would nest too deep. */
function write(expression: Expression, rules: Rules, depth: number): string | undefined {
  switch (expression.kind) {
    case 'text':
      return expression.text
        .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('\n', '\\n')
        .replaceAll('\r', '\\r')
        .replaceAll('\t', '\\t')
    case 'set':
      return `[${expression.set}]`
    case 'rule':
      return depth === 0 ? undefined : write(rules.get(expression.name) ?? text(''), rules, depth - 1)
    case 'sequence': {
      const parts = expression.parts.map((part) => write(part, rules, depth))
      return parts.includes(undefined) ? undefined : parts.join('')
    }
    case 'choice': {
      const options = expression.options.map((option) => write(option, rules, depth)).filter((option) => option !== undefined)
      return options.length === 0 ? undefined : `(?:${options.join('|')})`
    }
    case 'repeat': {
      const of = write(expression.of, rules, depth)
      if (of === undefined) return expression.min === 0 ? '' : undefined
      return `(?:${of})${times(expression.min, expression.max)}`
    }
  }
}

function times(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}
