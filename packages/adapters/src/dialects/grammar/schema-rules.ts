/** A JSON Schema as rules: what it says of types, properties, lists and texts; what it says beyond that is told as a loss. */
import { choice, type Expression, optional, rule, sequence, text } from './expression.ts'
import { BOOLEAN, integer, JSON_RULES, list, member, NULL, number, record, SPACE, string, VALUE } from './json-rules.ts'

/** A keyword that a grammar does not hold: the server may write what breaks it. */
export interface GrammarLoss {
  readonly tool: string
  /** JSON pointer into the tool's schema. */
  readonly path: string
  readonly keyword: string
}

type Node = Readonly<Record<string, unknown>>

/** Longer texts and lists are written without a limit: a rule for each of their lengths would be larger than a server takes. */
const MOST_REPEATED = 256

const HELD = new Set([
  ...[
    'type',
    'properties',
    'required',
    'items',
    'prefixItems',
    'enum',
    'const',
    'anyOf',
    'oneOf',
    '$ref',
    '$defs',
    'definitions',
  ],
  ...[
    'title',
    'description',
    'default',
    'examples',
    '$id',
    '$schema',
    '$comment',
    'deprecated',
    'readOnly',
    'writeOnly',
    'nullable',
  ],
  ...['additionalProperties', 'minItems', 'maxItems', 'minLength', 'maxLength'],
])

export class SchemaRules {
  readonly rules = new Map<string, Expression>(JSON_RULES)
  readonly losses: GrammarLoss[] = []
  readonly #tool: string
  readonly #root: Node
  readonly #prefix: string
  readonly #references = new Map<string, string>()

  constructor(tool: string, root: Node, prefix: string) {
    this.#tool = tool
    this.#root = root
    this.#prefix = prefix
  }

  expression(schema: unknown, path = ''): Expression {
    if (!isNode(schema)) return VALUE
    for (const keyword of Object.keys(schema))
      if (!HELD.has(keyword) && !(keyword === 'minimum' && isAboveZero(schema)))
        this.losses.push({ tool: this.#tool, path, keyword })
    const { $ref: reference, anyOf, oneOf } = schema
    if (typeof reference === 'string') return this.#reference(reference, path)
    if (Array.isArray(schema.enum)) return choice(...schema.enum.map((value) => text(JSON.stringify(value))))
    if ('const' in schema) return text(JSON.stringify(schema.const))
    const union = anyOf ?? oneOf
    if (Array.isArray(union) && union.length > 0)
      return choice(...union.map((one, index) => this.expression(one, `${path}/${anyOf ? 'anyOf' : 'oneOf'}/${index}`)))
    const types = [schema.type].flat().filter((type) => typeof type === 'string')
    if (schema.nullable === true && types.length > 0) types.push('null')
    return types.length === 0 ? this.#untyped(schema, path) : choice(...types.map((type) => this.#typed(type, schema, path)))
  }

  #untyped(schema: Node, path: string): Expression {
    return isNode(schema.properties) ? this.#object(schema, path) : VALUE
  }

  #typed(type: string, schema: Node, path: string): Expression {
    switch (type) {
      case 'string':
        return string(limit(schema.minLength) ?? 0, limit(schema.maxLength))
      case 'integer':
        return integer(!isAboveZero(schema))
      case 'number':
        return number(!isAboveZero(schema))
      case 'boolean':
        return BOOLEAN
      case 'null':
        return NULL
      case 'array':
        return this.#list(schema, path)
      case 'object':
        return this.#object(schema, path)
      default:
        return VALUE
    }
  }

  #list(schema: Node, path: string): Expression {
    if (Array.isArray(schema.prefixItems)) {
      const items = schema.prefixItems.map((item, index) => this.expression(item, `${path}/prefixItems/${index}`))
      return sequence(text('['), ...items.flatMap((item, index) => (index === 0 ? [item] : [text(','), SPACE, item])), text(']'))
    }
    return list(this.expression(schema.items, `${path}/items`), limit(schema.minItems) ?? 0, limit(schema.maxItems))
  }

  /** Properties in the order of the schema; other ones only where none are declared. */
  #object(schema: Node, path: string): Expression {
    const properties = isNode(schema.properties) ? Object.entries(schema.properties) : []
    if (properties.length === 0) {
      if (schema.additionalProperties === false || (isNode(schema.properties) && schema.additionalProperties === undefined))
        return text('{}')
      return isNode(schema.additionalProperties)
        ? record(this.expression(schema.additionalProperties, `${path}/additionalProperties`))
        : rule('object')
    }
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    const members = properties.map(([name, node]) => ({
      isRequired: required.has(name),
      expression: member(text(JSON.stringify(name)), this.expression(node, `${path}/properties/${pointer(name)}`)),
    }))
    return sequence(text('{'), membersFrom(members, 0), text('}'))
  }

  /** One rule for each place that is referred to, so that a schema may hold itself. */
  #reference(reference: string, path: string): Expression {
    let name = this.#references.get(reference)
    if (name === undefined) {
      name = `${this.#prefix}-ref-${this.#references.size}`
      this.#references.set(reference, name)
      const target = this.#resolve(reference)
      if (target === undefined)
        throw new TypeError(
          `toGrammar: in the schema of "${this.#tool}", ${path || '/'} refers to "${reference}", which is not there.`,
        )
      this.rules.set(name, this.expression(target, reference.replace(/^#/, '')))
    }
    return rule(name)
  }

  #resolve(reference: string): unknown {
    if (reference === '#') return this.#root
    if (!reference.startsWith('#/')) return undefined
    const keys = reference.slice(2).split('/')
    return keys.reduce((node: unknown, key) => {
      const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
      return isNode(node) && Object.hasOwn(node, name) ? node[name] : undefined
    }, this.#root)
  }
}

interface Member {
  readonly isRequired: boolean
  readonly expression: Expression
}

/** Members from a place on, as long as none has been written: the first one has no comma before it. */
function membersFrom(members: readonly Member[], start: number): Expression {
  const first = members[start]
  if (first === undefined) return text('')
  const rest = members.slice(start + 1).map(({ isRequired, expression }) => {
    const more = sequence(text(','), SPACE, expression)
    return isRequired ? more : optional(more)
  })
  const written = sequence(first.expression, ...rest)
  return first.isRequired ? written : choice(written, membersFrom(members, start + 1))
}

function limit(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_REPEATED ? value : undefined
}

function isAboveZero({ minimum }: Node): boolean {
  return minimum === 0
}

function pointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
