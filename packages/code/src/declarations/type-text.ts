/** Writes JSON Schemas as TypeScript types, on one line. */

type Node = Readonly<Record<string, unknown>>

const MAX_DEPTH = 6
const MAX_LENGTH = 600
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** Returns the schema as a TypeScript type. A part that is too deep, too long or recursive becomes `unknown`. */
export function typeText(schema: unknown): string {
  const writer = new Writer(isNode(schema) ? schema : {})
  return writer.write(schema, 0)
}

class Writer {
  readonly #root: Node
  #left = MAX_LENGTH

  constructor(root: Node) {
    this.#root = root
  }

  write(schema: unknown, depth: number): string {
    const text = depth > MAX_DEPTH || this.#left <= 0 || !isNode(schema) ? 'unknown' : this.#node(schema, depth)
    this.#left -= text.length
    return text
  }

  #node(schema: Node, depth: number): string {
    const { $ref, type, anyOf, oneOf, enum: values } = schema
    if (typeof $ref === 'string') return this.write(this.#resolve($ref), depth + 1)
    if ('const' in schema) return literal(schema.const)
    if (Array.isArray(values)) return union(values.slice(0, 50).map(literal))
    const members = anyOf ?? oneOf
    if (Array.isArray(members)) return union(members.slice(0, 20).map((member) => this.write(member, depth + 1)))
    if (Array.isArray(type)) return union(type.map((each) => this.#node({ ...schema, type: each }, depth)))
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return type
      case 'integer':
      case 'number':
        return 'number'
      case 'array':
        return this.#list(schema.items, depth)
      case 'object':
        return this.#object(schema, depth)
      default:
        return isNode(schema.properties) ? this.#object(schema, depth) : 'unknown'
    }
  }

  #list(items: unknown, depth: number): string {
    if (Array.isArray(items))
      return `[${items
        .slice(0, 20)
        .map((item) => this.write(item, depth + 1))
        .join(', ')}]`
    const item = this.write(items, depth + 1)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }

  #object({ properties, required, additionalProperties }: Node, depth: number): string {
    const needed = new Set(Array.isArray(required) ? required : [])
    const fields: string[] = []
    for (const [name, property] of Object.entries(isNode(properties) ? properties : {})) {
      const isOptional = !needed.has(name) || (isNode(property) && 'default' in property)
      this.#left -= name.length
      fields.push(
        this.#left <= 0
          ? '[more: string]: unknown'
          : `${propertyName(name)}${isOptional ? '?' : ''}: ${this.write(property, depth + 1)}`,
      )
      if (this.#left <= 0) break
    }
    if (fields.length > 0) return `{ ${fields.join('; ')} }`
    return isNode(additionalProperties) ? `Record<string, ${this.write(additionalProperties, depth + 1)}>` : '{}'
  }

  /** Returns the schema that a JSON pointer or the name of a definition refers to. */
  #resolve(ref: string): unknown {
    if (!ref.startsWith('#/')) return own(this.#root.$defs, ref)
    const path = ref.slice(2).split('/').slice(0, 10)
    return path.reduce<unknown>((node, key) => own(node, key.replace(/~1/g, '/').replace(/~0/g, '~')), this.#root)
  }
}

function own(node: unknown, key: string): unknown {
  return isNode(node) && Object.hasOwn(node, key) ? node[key] : undefined
}

function union(members: readonly string[]): string {
  return [...new Set(members)].join(' | ') || 'unknown'
}

function literal(value: unknown): string {
  return JSON.stringify(value) ?? 'unknown'
}

/** Returns the name as a property of a type, in quotes if necessary. */
export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name)
}

export function memberOf(name: string): string {
  return IDENTIFIER.test(name) ? `tools.${name}` : `tools[${JSON.stringify(name)}]`
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
