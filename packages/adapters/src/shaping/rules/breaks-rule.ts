/** Checks whether a schema follows a dialect's rules. Uses the same rules as the engine but none of its code. */
import { pointerSegment, targetOf } from '@x/tool-core'
import { isRecord } from '../../is-record.ts'
import type { KeywordRule, SchemaRules } from './tool-rules.ts'

export interface BrokenRule {
  /** JSON pointer of the schema that breaks the rule. */
  readonly path: string
  /** The keyword, or the name of the rule. */
  readonly rule: string
  readonly why: string
}

type Node = Readonly<Record<string, unknown>>

/** Returns the first broken rule. Returns undefined if the parameters follow all rules. */
export function breaksRule(parameters: unknown, rules: SchemaRules): BrokenRule | undefined {
  if (!isRecord(parameters)) return { path: '', rule: 'root', why: 'is not a schema' }
  const broken = rootRule(parameters, rules)
  if (broken !== undefined) return broken
  const stack: { readonly node: Node; readonly path: string }[] = [{ node: parameters, path: '' }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { node, path } = top
    for (const [rule, why] of nodeRules(node, parameters, rules)) if (why !== undefined) return { path, rule, why }
    stack.push(...innerOf(node, path))
  }
  return undefined
}

function rootRule(root: Node, { rootChoice, rootProperties }: SchemaRules): BrokenRule | undefined {
  const fail = (rule: string, why: string) => ({ path: '', rule, why })
  if (String(root.type).toLowerCase() !== 'object') return fail('root', 'is not an object')
  if (rootProperties !== undefined && !isRecord(root.properties)) return fail('rootProperties', 'has no properties')
  const choice = ['anyOf', 'oneOf', 'allOf'].find((keyword) => keyword in root)
  return rootChoice !== undefined && choice !== undefined ? fail('rootChoice', `${choice} at the root`) : undefined
}

function* nodeRules(node: Node, root: Node, rules: SchemaRules): Generator<readonly [string, string | undefined]> {
  for (const [keyword, value] of Object.entries(node)) {
    if (!FORMS.has(keyword)) yield [keyword, keywordFault(value, keyword, rules)]
  }
  yield ['references', referenceFault(node, rules)]
  yield ['references', rules.references && isDangling(node, root) ? `${node.$ref} does not resolve` : undefined]
  yield ['recursion', rules.recursion && leadsBack(node, root) ? `${node.$ref} is recursive` : undefined]
  yield ['untyped', rules.untyped && unspoken(node)]
  yield ['allOf', rules.allOf && 'allOf' in node ? 'allOf' : undefined]
  yield ['oneOf', rules.oneOf && 'oneOf' in node ? 'oneOf' : undefined]
  yield ['anyOf', choiceFault(node, rules)]
  yield ['constants', rules.constants && 'const' in node ? 'const' : undefined]
  yield ['choices', rules.choices && textsFault(node)]
  yield ['tuples', tupleFault(node, rules)]
  yield ['types', rules.types ? typeFault(node) : undefined]
  yield ['untyped', rules.untyped && !isTyped(node) ? 'has no type' : undefined]
  yield ['objects', objectFault(node, rules)]
  yield ['items', rules.items && isOf(node, 'array') && !isRecord(node.items) ? 'has no items' : undefined]
  yield ['required', rules.required && undeclared(node)]
  yield ['keys', keyFault(node, rules)]
}

/** Keywords that code checks instead of a keyword rule. */
const FORMS = new Set([
  ...['type', 'properties', 'required', 'items', 'prefixItems', 'additionalItems', 'enum', 'const', 'description'],
  ...['anyOf', 'oneOf', 'allOf', '$ref', '$defs', 'definitions'],
])

function keywordFault(value: unknown, keyword: string, rules: SchemaRules): string | undefined {
  if (keyword === 'additionalProperties' && rules.objects !== undefined) return undefined
  const rule: KeywordRule = Object.hasOwn(rules.keywords, keyword) ? (rules.keywords[keyword] ?? rules.others) : rules.others
  const isFine = rule.only === undefined || rule.only.holds(value)
  const fate = isFine ? rule.becomes : (rule.otherwise ?? 'dropped')
  return fate === 'kept' ? undefined : `${fate}: ${JSON.stringify(value)?.slice(0, 80)}`
}

function referenceFault(node: Node, { references }: SchemaRules): string | undefined {
  if (references === undefined) return undefined
  if (references.is === 'inlined') return ['$ref', '$defs', 'definitions'].find((keyword) => keyword in node)
  return '$ref' in node && Object.keys(node).length > 1 ? 'keywords beside $ref' : undefined
}

function isDangling({ $ref }: Node, root: Node): boolean {
  return typeof $ref === 'string' && targetOf($ref, root) === undefined
}

/** Returns true if the target of a reference leads back to that reference. */
function leadsBack({ $ref }: Node, root: Node): boolean {
  if (typeof $ref !== 'string') return false
  const seen = new Set<unknown>()
  const open = [targetOf($ref, root)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!isRecord(node) || seen.has(node)) continue
    seen.add(node)
    if (node.$ref === $ref) return true
    const { $defs: _, definitions: __, ...rest } = node
    for (const inner of innerOf(rest, '')) open.push(inner.node)
    if (typeof node.$ref === 'string') open.push(targetOf(node.$ref, root))
  }
  return false
}

/** Returns the path of the first nested schema that is `true`, because it has no type. */
function unspoken({ properties, items }: Node): string | undefined {
  if (items === true) return 'items: true'
  return isRecord(properties) ? Object.keys(properties).find((name) => properties[name] === true) : undefined
}

const SAYS_NOTHING_OF_VALUES = new Set(['anyOf', 'title', 'description', 'default', 'example', '$defs', 'definitions'])

function choiceFault(node: Node, { anyOf }: SchemaRules): string | undefined {
  if (anyOf === undefined || !('anyOf' in node)) return undefined
  if (anyOf.is === 'typed') return 'type' in node ? 'type beside anyOf' : undefined
  const beside = Object.keys(node).find((keyword) =>
    anyOf.is === 'alone' ? keyword !== 'anyOf' : !SAYS_NOTHING_OF_VALUES.has(keyword),
  )
  return beside === undefined ? undefined : `${beside} beside anyOf`
}

function textsFault({ enum: values, type }: Node): string | undefined {
  if (values === undefined) return undefined
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string' && value !== ''))
    return 'a choice that is not a string'
  return String(type).toLowerCase() === 'string' ? undefined : 'choices of a different type'
}

function tupleFault(node: Node, { tuples }: SchemaRules): string | undefined {
  if (tuples === undefined) return undefined
  if (Array.isArray(node.items)) return 'an array in items'
  return tuples.is !== 'prefixItems' && 'prefixItems' in node ? 'prefixItems' : undefined
}

function typeFault({ type }: Node): string | undefined {
  if (type === undefined) return undefined
  return typeof type === 'string' && NAMES.has(type.toLowerCase()) ? undefined : `type is ${JSON.stringify(type)}`
}

const NAMES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

function isTyped(node: Node): boolean {
  return ['type', 'anyOf', '$ref', 'allOf'].some((keyword) => keyword in node)
}

function objectFault(node: Node, { objects }: SchemaRules): string | undefined {
  if (objects === undefined) return undefined
  if (objects.is === 'unclosed') return node.additionalProperties === false ? 'additionalProperties: false' : undefined
  if (!isOf(node, 'object')) return undefined
  if (node.additionalProperties !== false) return 'an open object'
  const required = Array.isArray(node.required) ? node.required : []
  const optional = Object.keys(isRecord(node.properties) ? node.properties : {}).find((name) => !required.includes(name))
  return objects.is === 'closed and required' && optional !== undefined ? `${optional} is not required` : undefined
}

function undeclared(node: Node): string | undefined {
  if (!Array.isArray(node.required)) return undefined
  if (!isOf(node, 'object')) return 'required without type object'
  const properties = isRecord(node.properties) ? node.properties : {}
  return node.required.find((name) => !Object.hasOwn(properties, name))
}

function keyFault({ properties }: Node, { keys }: SchemaRules): string | undefined {
  if (keys === undefined || !isRecord(properties)) return undefined
  return Object.keys(properties).find((key) => key.length > keys.maxLength || !keys.pattern.test(key))
}

function isOf({ type }: Node, name: string): boolean {
  return (Array.isArray(type) ? type : [type]).some((one) => String(one).toLowerCase() === name)
}

const HOLD_SCHEMAS = [
  'items',
  'additionalProperties',
  'additionalItems',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
]
const HOLD_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']
const HOLD_MAPS = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']

function innerOf(node: Node, path: string): readonly { readonly node: Node; readonly path: string }[] {
  const pairs = [
    ...HOLD_SCHEMAS.map((keyword) => [keyword, node[keyword]] as const),
    ...HOLD_LISTS.flatMap((keyword) => entriesOf(keyword, Array.isArray(node[keyword]) ? node[keyword] : {})),
    ...HOLD_MAPS.flatMap((keyword) => entriesOf(keyword, isRecord(node[keyword]) ? node[keyword] : {})),
  ]
  return pairs.flatMap(([key, value]) => (isRecord(value) ? [{ node: value, path: `${path}/${key}` }] : []))
}

function entriesOf(keyword: string, holder: object): readonly (readonly [string, unknown])[] {
  return Object.entries(holder).map(([key, value]) => [`${keyword}/${pointerSegment(key)}`, value])
}
