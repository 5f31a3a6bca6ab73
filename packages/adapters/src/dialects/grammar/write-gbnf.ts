/** A grammar in GBNF, as llama.cpp takes it: https://github.com/ggml-org/llama.cpp/tree/master/grammars */
import type { Expression, Rules } from './expression.ts'

export function writeGBNF(root: Expression, rules: Rules): string {
  return [`root ::= ${write(root)}`, ...[...rules].map(([name, expression]) => `${name} ::= ${write(expression)}`)].join('\n')
}

function write(expression: Expression): string {
  switch (expression.kind) {
    case 'text':
      return quote(expression.text)
    case 'set':
      return `[${expression.set}]`
    case 'rule':
      return expression.name
    case 'sequence':
      return expression.parts.map(writePart).join(' ') || '""'
    case 'choice':
      return expression.options.map(write).join(' | ')
    case 'repeat':
      return `${writeAtom(expression.of)}${times(expression.min, expression.max)}`
  }
}

function writePart(expression: Expression): string {
  return expression.kind === 'choice' ? `(${write(expression)})` : write(expression)
}

function writeAtom(expression: Expression): string {
  return expression.kind === 'sequence' || expression.kind === 'choice' || expression.kind === 'repeat'
    ? `(${write(expression)})`
    : write(expression)
}

function times(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}

function quote(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `"${escaped}"`
}
