/**
 * Grammars for constrained decoding. With a grammar, a model can only write calls to the given tools, with arguments that match
 * their schemas.
 */
import { pointerSegment, type ToolSpec } from '@x/tool-core'
import { choice, type Expression, repeat, rule, sequence, text } from './expression.ts'
import { COMMA, member } from './json-rules.ts'
import { DEEPEST_SCHEMA, type GrammarLoss, SchemaRules } from './schema-rules.ts'
import { writeGBNF } from './write-gbnf.ts'
import { writeRegex } from './write-regex.ts'

export interface GrammarOptions {
  /**
   * Text that the dialect writes around each call, such as `<tool_call>
   * `. Default: none. The JSON Schema covers the call only.
   */
  readonly before?: string | undefined
  readonly after?: string | undefined
  /** The keys of the name and the arguments. Default: `name` and `arguments`. */
  readonly nameKey?: string | undefined
  readonly argumentsKey?: string | undefined
  /** Maximum number of calls in a reply, on separate lines. Default: 1. */
  readonly maxCalls?: number | undefined
  /** Depth to which the regular expression expands recursive values, from 1 to 4. Default: 2. */
  readonly regexDepth?: number | undefined
}

export interface Grammar {
  /** JSON Schema for servers that accept one (`guided_json`, `response_format`). Allows only a single call. */
  readonly jsonSchema: Readonly<Record<string, unknown>>
  /**
   * Grammar for llama.cpp and servers based on it. Its size is linear in the size of the schemas, because each part is written once as a
   * rule.
   */
  readonly gbnf: string
  /**
   * Regular expression that matches the whole reply, for servers that accept one (`guided_regex`). Created on first access. It contains
   * no references to rules, so it may grow with each nesting level of a schema. Undefined if it would exceed 65,536 UTF-16 units.
   */
  readonly regex: string | undefined
  /**
   * Constraints that `gbnf` and `regex` can't express, so always validate the arguments. A loss with the keyword `regex` means
   * that `regex` is undefined.
   */
  readonly losses: readonly GrammarLoss[]
}

/**
 * Creates the grammars. Throws `TypeError` if there are no tools, or if a schema has an unresolved reference, can't be matched by any
 * value, or is nested deeper than 64 levels. Properties are written in the order of the schema, undeclared properties are excluded, and
 * white space is at most one space.
 */
export function toGrammar(tools: readonly ToolSpec[], options: GrammarOptions = {}): Grammar {
  const { before = '', after = '', nameKey = 'name', argumentsKey = 'arguments', maxCalls = 1, regexDepth = 2 } = options
  if (tools.length === 0) throw new TypeError('toGrammar: the list of tools is empty. Send no grammar when there are no tools.')
  assertBetween('maxCalls', maxCalls, 1, 100)
  assertBetween('regexDepth', regexDepth, 1, 4)
  // Created first, because this also throws for schemas with values that are nested too deeply.
  const jsonSchema = toJsonSchema(tools, nameKey, argumentsKey)
  const rules = new Map<string, Expression>()
  const losses: GrammarLoss[] = []
  const calls = tools.map(({ function: { name, parameters } }, index) => {
    const schema = new SchemaRules(name, parameters, `tool-${index}`)
    const args = schema.args()
    for (const [name, expression] of schema.rules) rules.set(name, expression)
    losses.push(...schema.losses)
    const nameMember = member(text(JSON.stringify(nameKey)), text(JSON.stringify(name)))
    return sequence(text('{'), nameMember, COMMA, member(text(JSON.stringify(argumentsKey)), args), text('}'))
  })
  rules.set('call', sequence(text(before), choice(...calls), text(after)))
  const one = rule('call')
  const root = maxCalls === 1 ? one : sequence(one, repeat(sequence(text('\n'), one), 0, maxCalls - 1))
  let written: { readonly regex: string | undefined } | undefined
  return {
    jsonSchema,
    gbnf: writeGBNF(root, rules),
    get regex() {
      written ??= { regex: writeRegex(root, rules, regexDepth) }
      return written.regex
    },
    get losses() {
      return this.regex === undefined ? [...losses, { tool: '', path: '', keyword: 'regex' }] : losses
    },
  }
}

function toJsonSchema(tools: readonly ToolSpec[], nameKey: string, argumentsKey: string): Readonly<Record<string, unknown>> {
  const calls = tools.map(({ function: { name, parameters } }, index) => {
    const path = `${tools.length === 1 ? '' : `/anyOf/${index}`}/properties/${pointerSegment(argumentsKey)}`
    return {
      type: 'object',
      properties: { [nameKey]: { const: name }, [argumentsKey]: moved(parameters, path, name) },
      required: [nameKey, argumentsKey],
      additionalProperties: false,
    }
  })
  return calls.length === 1 ? (calls[0] as Readonly<Record<string, unknown>>) : { anyOf: calls }
}

/**
 * Maximum depth of a schema's JSON. A nested schema is two levels deeper than its parent: `properties` and the property's name.
 */
const DEEPEST_JSON = 4 * DEEPEST_SCHEMA

/** Copies a schema, and adjusts its references to its new position in the root schema. */
function moved(node: unknown, path: string, tool: string, depth = 0): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (depth > DEEPEST_JSON)
    throw new TypeError(
      `toGrammar: the schema of "${tool}" is nested deeper than ${DEEPEST_JSON} levels of JSON, or contains itself. Flatten it, or use $ref.`,
    )
  if (Array.isArray(node)) return node.map((item) => moved(item, path, tool, depth + 1))
  const entries = Object.entries(node).map(([key, value]) => {
    const isReference = key === '$ref' && typeof value === 'string' && value.startsWith('#')
    return [key, isReference ? `#${path}${value.slice(1)}` : moved(value, path, tool, depth + 1)] as const
  })
  return Object.fromEntries(entries)
}

function assertBetween(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`toGrammar: ${name} must be an integer from ${least} to ${most}, got ${value}.`)
}
