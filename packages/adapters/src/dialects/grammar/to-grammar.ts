/** Grammars for servers with constrained decoding: what they let a model write is a call of one of the tools, and fits its schema. */
import type { ToolSpec } from '@x/tool-core'
import { choice, type Expression, repeat, sequence, text } from './expression.ts'
import { member, SPACE } from './json-rules.ts'
import { type GrammarLoss, SchemaRules } from './schema-rules.ts'
import { writeGBNF } from './write-gbnf.ts'
import { writeRegex } from './write-regex.ts'

export interface GrammarOptions {
  /** What the dialect writes around each call, e.g. `<tool_call>\n`; nothing unless told. The JSON Schema is of the call alone. */
  readonly before?: string | undefined
  readonly after?: string | undefined
  /** Under which keys a call keeps its name and arguments; `name` and `arguments` unless told. */
  readonly nameKey?: string | undefined
  readonly argumentsKey?: string | undefined
  /** Most calls of a reply, behind each other on lines of their own; 1 unless told. */
  readonly maxCalls?: number | undefined
  /** How deep a regular expression follows values that may nest without an end, from 1 to 4; 2 unless told. */
  readonly regexDepth?: number | undefined
}

export interface Grammar {
  /** For servers that take a JSON Schema (`guided_json`, `response_format`). One call. */
  readonly jsonSchema: Readonly<Record<string, unknown>>
  /** For llama.cpp and what is built on it. */
  readonly gbnf: string
  /** For servers that take a regular expression (`guided_regex`); it matches the whole reply. */
  readonly regex: string
  /** What the schemas say and `gbnf` and `regex` do not hold: check the arguments, as always. */
  readonly losses: readonly GrammarLoss[]
}

/**
 * Throws `TypeError` without tools, and for a schema that refers to what is not there. Properties come in the order of the schema,
 * undeclared ones not at all, and white space is one space at most.
 */
export function toGrammar(tools: readonly ToolSpec[], options: GrammarOptions = {}): Grammar {
  const { before = '', after = '', nameKey = 'name', argumentsKey = 'arguments', maxCalls = 1, regexDepth = 2 } = options
  if (tools.length === 0)
    throw new TypeError('toGrammar: there are no tools. Leave the grammar out where the model may call none.')
  assertBetween('maxCalls', maxCalls, 1, 100)
  assertBetween('regexDepth', regexDepth, 1, 4)
  const rules = new Map<string, Expression>()
  const losses: GrammarLoss[] = []
  const calls = tools.map(({ function: { name, parameters } }, index) => {
    const schema = new SchemaRules(name, parameters, `tool-${index}`)
    const args = schema.expression({ type: 'object', ...parameters })
    for (const [rule, expression] of schema.rules) rules.set(rule, expression)
    losses.push(...schema.losses)
    const nameMember = member(text(JSON.stringify(nameKey)), text(JSON.stringify(name)))
    return sequence(text('{'), nameMember, text(','), SPACE, member(text(JSON.stringify(argumentsKey)), args), text('}'))
  })
  const one = sequence(text(before), choice(...calls), text(after))
  const root = maxCalls === 1 ? one : sequence(one, repeat(sequence(text('\n'), one), 0, maxCalls - 1))
  return {
    jsonSchema: toJsonSchema(tools, nameKey, argumentsKey),
    gbnf: writeGBNF(root, rules),
    regex: writeRegex(root, rules, regexDepth),
    losses,
  }
}

function toJsonSchema(tools: readonly ToolSpec[], nameKey: string, argumentsKey: string): Readonly<Record<string, unknown>> {
  const calls = tools.map(({ function: { name, parameters } }, index) => {
    const path = `${tools.length === 1 ? '' : `/anyOf/${index}`}/properties/${argumentsKey.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return {
      type: 'object',
      properties: { [nameKey]: { const: name }, [argumentsKey]: moved(parameters, path) },
      required: [nameKey, argumentsKey],
      additionalProperties: false,
    }
  })
  return calls.length === 1 ? (calls[0] as Readonly<Record<string, unknown>>) : { anyOf: calls }
}

/** References lead from the root, which is now further up. */
function moved(node: unknown, path: string): unknown {
  if (Array.isArray(node)) return node.map((item) => moved(item, path))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => {
    const isReference = key === '$ref' && typeof value === 'string' && value.startsWith('#')
    return [key, isReference ? `#${path}${value.slice(1)}` : moved(value, path)] as const
  })
  return Object.fromEntries(entries)
}

function assertBetween(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`toGrammar: ${name} must be a whole number from ${least} to ${most}, got ${value}.`)
}
