/** Writes JSON Schemas as TypeScript types. */
import { hasDefault } from '@x/tool-core'
import { factsOf, isNode, jsonOf, type Node } from './facts.ts'

const MAX_DEPTH = 6
const MAX_LENGTH = 600
const MAX_DETAILS = 10_000
/** Length of the syntax on a line of the details, without the indentation, in characters. */
const SYNTAX = 10
/** Longer defaults are only in the details. */
const MAX_DEFAULT = 20
const MAX_VALUES = 50
const MAX_MEMBERS = 20
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** Returns the schema as a TypeScript type on one line. A part that is too deep, too long or recursive becomes `unknown`. */
export function typeText(schema: unknown): string {
  return new Writer(schema, MAX_LENGTH, false).write(schema, 0)
}

/** Returns the type with a line for each property, after a comment on what the type doesn't express. */
export function detailedTypeText(schema: unknown): string {
  return new Writer(schema, MAX_DETAILS, true).write(schema, 0)
}

class Writer {
  readonly #root: Node
  readonly #isDetailed: boolean
  #left: number

  constructor(root: unknown, maxLength: number, isDetailed: boolean) {
    this.#root = isNode(root) ? root : {}
    this.#left = maxLength
    this.#isDetailed = isDetailed
  }

  write(schema: unknown, depth: number): string {
    const text = depth > MAX_DEPTH || this.#left <= 0 || !isNode(schema) ? 'unknown' : this.#node(schema, depth)
    this.#left -= text.length
    return text
  }

  #node(schema: Node, depth: number): string {
    const { $ref, type, allOf, anyOf, oneOf, enum: values } = schema
    if (typeof $ref === 'string') return this.write(this.#resolve($ref), depth + 1)
    if ('const' in schema) return literal(schema.const)
    if (Array.isArray(values)) return union(firstOf(values, MAX_VALUES).map(literal))
    const members = anyOf ?? oneOf
    if (Array.isArray(members) || Array.isArray(allOf)) {
      const own = isNode(schema.properties) ? [this.#object(schema, depth)] : []
      const all = this.#each(allOf, depth)
      return intersection([...own, ...all, ...(Array.isArray(members) ? [union(this.#each(members, depth))] : [])])
    }
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
        return this.#list(schema, depth)
      case 'object':
        return this.#object(schema, depth)
      default:
        return isNode(schema.properties) ? this.#object(schema, depth) : 'unknown'
    }
  }

  #list({ prefixItems, items, additionalItems }: Node, depth: number): string {
    const first = Array.isArray(prefixItems) ? prefixItems : items
    if (!Array.isArray(first)) return this.#listOf(items, depth)
    const rest = first === items ? additionalItems : items
    const isOpen = isNode(rest) || first.length > MAX_MEMBERS
    const members = first.slice(0, MAX_MEMBERS).map((item) => this.write(item, depth + 1))
    return `[${[...members, ...(isOpen ? [`...${this.#listOf(first.length > MAX_MEMBERS ? undefined : rest, depth)}`] : [])].join(', ')}]`
  }

  #listOf(items: unknown, depth: number): string {
    return `${inBrackets(this.write(items, depth + 1))}[]`
  }

  /** Writes the schemas in a list. */
  #each(list: unknown, depth: number): readonly string[] {
    return Array.isArray(list) ? firstOf(list, MAX_MEMBERS).map((schema) => this.write(schema, depth + 1)) : []
  }

  #object({ properties, required, additionalProperties, patternProperties }: Node, depth: number): string {
    const needed = new Set(Array.isArray(required) ? required : [])
    const fields: string[] = []
    for (const [name, property] of Object.entries(isNode(properties) ? properties : {})) {
      const isOptional = !needed.has(name) || hasDefault(property)
      this.#left -= name.length + (this.#isDetailed ? SYNTAX + 2 * depth : 0)
      fields.push(
        this.#left <= 0
          ? '[more: string]: unknown'
          : this.#field(`${propertyName(name)}${isOptional ? '?' : ''}`, property, depth),
      )
      if (this.#left <= 0) break
    }
    if (fields.length > 0) return this.#isDetailed ? `{${onLines(fields)}\n}` : `{ ${fields.join('; ')} }`
    const rest = isNode(patternProperties) ? Object.values(patternProperties) : [additionalProperties]
    const isFree = rest.some(isNode) || additionalProperties === true || (properties ?? additionalProperties) === undefined
    return isFree ? `Record<string, ${union(this.#each(rest, depth))}>` : '{}'
  }

  #field(name: string, property: unknown, depth: number): string {
    const type = this.write(property, depth + 1)
    if (!this.#isDetailed) return `${name}: ${type}${shortDefaultOf(property)}`
    const target = isNode(property) && typeof property.$ref === 'string' ? this.#resolve(property.$ref) : undefined
    const facts = [factsOf(property), factsOf(target)].filter((text) => text !== '').join(' ')
    if (facts === '') return `${name}: ${type}`
    this.#left -= facts.length + SYNTAX + 2 * depth
    return `${toComment(facts)}\n${name}: ${type}`
  }

  /** Returns the schema that a JSON pointer or the name of a definition refers to. */
  #resolve(ref: string): unknown {
    if (!ref.startsWith('#/')) return own(this.#root.$defs, ref)
    const path = ref.slice(2).split('/').slice(0, 10)
    return path.reduce<unknown>((node, key) => own(node, key.replace(/~1/g, '/').replace(/~0/g, '~')), this.#root)
  }
}

/** Returns the first items. If there are more, undefined, which is written as `unknown`, stands for the rest. */
function firstOf(list: readonly unknown[], most: number): readonly unknown[] {
  return list.length > most ? [...list.slice(0, most), undefined] : list
}

function own(node: unknown, key: string): unknown {
  return isNode(node) && Object.hasOwn(node, key) ? node[key] : undefined
}

function union(members: readonly string[]): string {
  return [...new Set(members)].join(' | ') || 'unknown'
}

/** Omits `unknown`, for example of a member of `anyOf` with only `required`. */
function intersection(parts: readonly string[]): string {
  const known = parts.filter((part) => part !== 'unknown')
  return known.length > 1 ? known.map(inBrackets).join(' & ') : (known[0] ?? 'unknown')
}

function inBrackets(text: string): string {
  return / [|&] /.test(text) ? `(${text})` : text
}

function onLines(fields: readonly string[]): string {
  return fields.map((field) => `\n${field}`.replaceAll('\n', '\n  ')).join('')
}

function shortDefaultOf(property: unknown): string {
  const value = hasDefault(property) ? jsonOf((property as Node).default) : undefined
  return value === undefined || value.length > MAX_DEFAULT ? '' : ` = ${value}`
}

/** Returns the text as a comment that it can't end. */
export function toComment(text: string): string {
  return `/** ${text.replaceAll('*/', '* /')} */`
}

function literal(value: unknown): string {
  return jsonOf(value) ?? 'unknown'
}

/** Returns the name as a property of a type, in quotes if necessary. */
export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name)
}

export function memberOf(name: string): string {
  return IDENTIFIER.test(name) ? `tools.${name}` : `tools[${JSON.stringify(name)}]`
}
