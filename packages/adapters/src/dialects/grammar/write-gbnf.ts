/** Writes a grammar in GBNF for llama.cpp: https://github.com/ggml-org/llama.cpp/tree/master/grammars */
import { type Expression, type Rules, times } from './expression.ts'
import { someAsRules } from './members.ts'

/** Writes the grammar. The size of the text is linear in the grammar, because each rule is written once. */
export function writeGBNF(root: Expression, rules: Rules): string {
  const all = new Map([['root', root], ...rules])
  const lines: string[] = []
  // The loop also visits rules that `write` adds, because iterating over a map includes new entries.
  for (const [name, expression] of all) lines.push(`${name} ::= ${write(expression, all)}`)
  return lines.join('\n')
}

function write(expression: Expression, all: Map<string, Expression>): string {
  switch (expression.kind) {
    case 'text':
      return quote(expression.text)
    case 'set':
      return `[${expression.set}]`
    case 'rule':
      return expression.name
    case 'some':
      for (const [name, suffix] of someAsRules(expression.name, expression.of)) all.set(name, suffix)
      return `${expression.name}-0`
    case 'sequence':
      return expression.parts.map((part) => writePart(part, all)).join(' ') || '""'
    case 'choice':
      return expression.options.map((option) => write(option, all)).join(' | ')
    case 'repeat':
      return `${writeAtom(expression.of, all)}${times(expression.min, expression.max)}`
  }
}

function writePart(expression: Expression, all: Map<string, Expression>): string {
  return expression.kind === 'choice' ? `(${write(expression, all)})` : write(expression, all)
}

function writeAtom(expression: Expression, all: Map<string, Expression>): string {
  return expression.kind === 'sequence' || expression.kind === 'choice' || expression.kind === 'repeat'
    ? `(${write(expression, all)})`
    : write(expression, all)
}

function quote(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `"${escaped}"`
}
