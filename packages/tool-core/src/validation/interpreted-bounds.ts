/** What keeps the interpreting validator from being busy for long: it matches any text, and compares each item with each. */
import type { Issue } from '../issue.ts'
import type { Matcher } from '../pattern.ts'
import { pointerSegment } from '../pointer.ts'
import { isSchemaNode, type SchemaNode } from '../schema.ts'
import type { SchemaFacts } from './check.ts'
import { stepsOf } from './pattern-steps.ts'
import { schemasAt } from './places.ts'
import { wordsOf } from './words.ts'

/** A walk through a value. */
export interface Look {
  readonly facts: SchemaFacts
  readonly slow: readonly Matcher[]
  /** The longest text that every pattern of the schema may be matched with. */
  readonly longest: number
  /** True to find out which patterns meet a text, which takes a while; otherwise each that is slow counts for each text. */
  readonly isExact: boolean
  readonly keys: string[]
  readonly issues: Issue[]
  steps: number
}

export function toLook(facts: SchemaFacts, isExact: boolean): Look {
  const slow = [...facts.matchers.values()].filter(({ longest }) => longest < Infinity)
  const longest = Math.min(Infinity, ...slow.map((matcher) => matcher.longest))
  return { facts, slow, longest, isExact, keys: [], issues: [], steps: 0 }
}

export function checkText(text: string, look: Look): void {
  if (isCounted(text, look)) return
  const { facts, keys, issues } = look
  for (const { pattern } of candidatesAt(look)) {
    const matcher = facts.matchers.get(String(pattern))
    if (matcher === undefined) continue
    const { longest, cost } = matcher
    if (text.length > longest) issues.push(issueAt(keys, 'pattern', { pattern, longest }))
    else if (longest < Infinity) look.steps += stepsOf(cost, text.length)
  }
}

/** A pattern may be about keys too. */
export function checkKey(key: string, look: Look): void {
  if (isCounted(key, look)) return
  for (const { longest, cost } of keyMatchersAt(look)) {
    if (key.length > longest) look.issues.push(issueAt(look.keys, 'propertyNames', { limit: longest }))
    else look.steps += stepsOf(cost, key.length)
  }
}

/** True when it need not be known which patterns the text meets. */
function isCounted({ length }: string, look: Look): boolean {
  if (look.slow.length === 0) return true
  if (look.isExact || length > look.longest) return false
  for (const { cost } of look.slow) look.steps += stepsOf(cost, length)
  return true
}

function keyMatchersAt(look: Look): readonly Matcher[] {
  const nodes = candidatesAt(look)
  if (nodes.some(({ propertyNames }) => isSchemaNode(propertyNames))) return look.slow
  const sources = nodes.flatMap(({ patternProperties }) =>
    isSchemaNode(patternProperties) ? Object.keys(patternProperties) : [],
  )
  const matchers = new Set(sources.map((source) => look.facts.matchers.get(source)))
  return look.slow.filter((matcher) => matchers.has(matcher))
}

const MAX_COMPARED = 1_000

export function checkList(list: readonly unknown[], look: Look): void {
  if (list.length <= MAX_COMPARED) return
  const isCompared = candidatesAt(look).some(({ uniqueItems }) => uniqueItems === true)
  if (isCompared) look.issues.push(issueAt(look.keys, 'maxItems', { limit: MAX_COMPARED }))
}

/** All of them where a reference is of a kind that only a validator resolves. */
function candidatesAt({ facts: { schema, nodes }, keys }: Look): readonly SchemaNode[] {
  const areKnown = nodes.every((node) => REFERENCES.every((keyword) => isPointer(node[keyword], schema as SchemaNode)))
  return areKnown ? schemasAt(schema, keys) : nodes
}

const REFERENCES = ['$ref', '$recursiveRef', '$dynamicRef']

function isPointer(reference: unknown, { $defs }: SchemaNode): boolean {
  if (typeof reference !== 'string') return true
  return reference === '#' || reference.startsWith('#/') || (isSchemaNode($defs) && Object.hasOwn($defs, reference))
}

function issueAt(keys: readonly string[], keyword: string, params: Readonly<Record<string, unknown>>): Issue {
  const path = keys.map((key) => `/${pointerSegment(key)}`).join('')
  return { path, keyword, ...wordsOf({ instancePath: path, schemaPath: '', keyword, params }) }
}
