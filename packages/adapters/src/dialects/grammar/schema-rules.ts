/** Converts a JSON Schema to grammar rules. Constraints that a grammar can't express are reported as losses. */
import { pointerSegment, targetOf } from '@x/tool-core'
import { isRecord } from '../../is-record.ts'
import { choice, type Expression, resolveRule, rule, sequence, text } from './expression.ts'
import {
  BOOLEAN,
  COMMA,
  integer,
  JSON_RULES,
  list,
  member,
  NULL,
  number,
  OBJECT,
  record,
  STRING,
  string,
  VALUE,
} from './json-rules.ts'
import { membersInOrder } from './members.ts'
import {
  fitsTypes,
  hasProperties,
  heldLength,
  isAboveZero,
  keywordsBeside,
  listedValues,
  OF_ONE_TYPE,
  type SchemaNode,
  typesOf,
} from './schema-keywords.ts'
import { breakUnitCycles } from './unit-cycles.ts'

/** A keyword that a grammar can't express, so that the output may violate it. */
export interface GrammarLoss {
  /** Name of the tool. Empty if the loss is about all tools together. */
  readonly tool: string
  /** JSON pointer into the schema of the tool. */
  readonly path: string
  /** The keyword. `regex` if the regular expression would be too long, `false` for a schema that no value matches. */
  readonly keyword: string
}

/** Position and nesting depth of a subschema. */
interface Place {
  readonly path: string
  readonly depth: number
}

export const DEEPEST_SCHEMA = 64

export class SchemaRules {
  readonly rules = new Map<string, Expression>(JSON_RULES)
  readonly losses: GrammarLoss[] = []
  readonly #tool: string
  readonly #root: SchemaNode
  readonly #prefix: string
  readonly #references = new Map<string, string>()
  readonly #places = { object: 0, list: 0, union: 0 }

  constructor(tool: string, root: SchemaNode, prefix: string) {
    this.#tool = tool
    this.#root = root
    this.#prefix = prefix
  }

  /** Returns the expression for the tool's arguments: an object, unless the schema declares another type. */
  args(): Expression {
    const saysItself = ['type', '$ref', 'enum', 'const'].some((keyword) => Object.hasOwn(this.#root, keyword))
    const args = this.#expression(saysItself ? this.#root : { type: 'object', ...this.#root }, { path: '', depth: 0 })
    // Uses a loop instead of recursion, because a long chain of references isn't a deep schema. The map grows while it is
    // visited.
    for (const [reference, name] of this.#references) {
      const place = { path: reference.replace(/^#/, ''), depth: 0 }
      this.rules.set(name, this.#expression(targetOf(reference, this.#root), place))
    }
    // A schema that only refers to itself accepts anything.
    breakUnitCycles(this.rules, VALUE)
    return args.kind === 'rule' && resolveRule(args, this.rules).name === 'value' ? OBJECT : args
  }

  #expression(schema: unknown, place: Place): Expression {
    if (schema === false) this.#lose(place, 'false')
    if (!isRecord(schema)) return VALUE
    if (place.depth > DEEPEST_SCHEMA)
      throw new TypeError(
        `toGrammar: the schema of "${this.#tool}" is nested deeper than ${DEEPEST_SCHEMA} levels, at ${place.path.slice(0, 100)}… ` +
          'Flatten it, or reference its inner parts with $ref.',
      )
    if (typeof schema.$ref === 'string') {
      this.#lose(place, ...keywordsBeside(schema, ['$ref']))
      return this.#reference(schema.$ref, place)
    }
    const values = listedValues(schema)
    if (values !== undefined) return this.#listed(values, schema, place)
    const keyword = ['anyOf', 'oneOf'].find((name) => Array.isArray(schema[name]) && schema[name].length > 0)
    const hasParts = hasProperties(schema) || isRecord(schema.items) || Array.isArray(schema.prefixItems)
    if (keyword !== undefined && !hasParts) return this.#union(keyword, schema, place)
    return this.#ofTypes(schema, place)
  }

  #listed(values: readonly unknown[], schema: SchemaNode, place: Place): Expression {
    const keyword = 'const' in schema ? 'const' : 'enum'
    this.#lose(place, ...keywordsBeside(schema, [keyword, 'type']))
    const types = typesOf(schema)
    const fitting = values.filter((value) => fitsTypes(value, types))
    if (fitting.length === 0)
      throw new TypeError(
        `toGrammar: in the schema of "${this.#tool}", no value of "${keyword}" at ${place.path || '/'} matches its type (${types.join(', ') || 'any'}). Correct the values or the type.`,
      )
    return choice(...fitting.map((value) => text(JSON.stringify(value))))
  }

  /** Writes a union. A member without a type gets the types that are declared next to the union. */
  #union(keyword: string, schema: SchemaNode, place: Place): Expression {
    const types = typesOf(schema)
    const holdsType = (option: unknown): boolean => {
      const node = isRecord(option) && typeof option.$ref === 'string' ? targetOf(option.$ref, this.#root) : option
      if (!isRecord(node)) return false
      const values = listedValues(node)
      if (values !== undefined) return values.every((value) => fitsTypes(value, types))
      const own = typesOf(node)
      if (own.length > 0) return own.every((type) => types.includes(type) || (type === 'integer' && types.includes('number')))
      return node === option || (types.length === 1 && types[0] === 'object' && isRecord(node.properties))
    }
    const options = schema[keyword] as readonly unknown[]
    this.#lose(place, ...keywordsBeside(schema, options.every(holdsType) ? [keyword, 'type'] : [keyword]))
    const written = options.map((option, index) => {
      const isOpen = isRecord(option) && types.length > 0 && !['type', '$ref', 'enum', 'const'].some((name) => name in option)
      return this.#expression(isOpen ? { ...option, type: types } : option, inside(place, keyword, index))
    })
    return this.#own('union', () => choice(...written))
  }

  #ofTypes(schema: SchemaNode, place: Place): Expression {
    const own = typesOf(schema)
    const types = own.length === 0 && isRecord(schema.properties) ? ['object'] : own
    if (types.length === 0) {
      this.#lose(place, ...keywordsBeside(schema, []))
      return VALUE
    }
    const isNumber = types.includes('number') || types.includes('integer')
    const held = ['type', ...OF_ONE_TYPE, ...(isNumber && isAboveZero(schema) ? ['minimum'] : [])]
    this.#lose(place, ...keywordsBeside(schema, held))
    const written = types.map((type) => this.#ofType(type, schema, place))
    return written.length === 1 ? choice(...written) : this.#own('union', () => choice(...written))
  }

  #ofType(type: string, schema: SchemaNode, place: Place): Expression {
    switch (type) {
      case 'string': {
        const { min, max } = this.#lengths('minLength', 'maxLength', schema, place)
        return min === 0 && max === undefined ? STRING : string(min, max)
      }
      case 'integer':
        return integer(!isAboveZero(schema))
      case 'number':
        return number(!isAboveZero(schema))
      case 'boolean':
        return BOOLEAN
      case 'null':
        return NULL
      case 'array':
        return this.#list(schema, place)
      case 'object':
        return this.#object(schema, place)
      default:
        this.#lose(place, 'type')
        return VALUE
    }
  }

  #list(schema: SchemaNode, place: Place): Expression {
    const { min, max } = this.#lengths('minItems', 'maxItems', schema, place)
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
    if (first.length === 0) {
      if (Array.isArray(schema.items)) this.#lose(place, 'items')
      const item = this.#expression(schema.items, inside(place, 'items'))
      return this.#own('list', () => list(item, min, max))
    }
    // The list has exactly as many items as `prefixItems`.
    if (min > first.length) this.#lose(place, 'minItems')
    if (max !== undefined && max < first.length) this.#lose(place, 'maxItems')
    const items = first.map((item, index) => this.#expression(item, inside(place, 'prefixItems', index)))
    const written = items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]))
    return this.#own('list', () => sequence(text('['), ...written, text(']')))
  }

  /**
   * Writes the declared properties in the schema's order, followed by required ones that aren't declared. Other properties are
   * allowed only if none are declared or required.
   */
  #object(schema: SchemaNode, place: Place): Expression {
    const { properties, required, additionalProperties: more } = schema
    if (required !== undefined && !Array.isArray(required)) this.#lose(place, 'required')
    const names = new Set((Array.isArray(required) ? required : []).filter((name) => typeof name === 'string'))
    const declared = isRecord(properties) ? Object.entries(properties) : []
    const undeclared = [...names].filter((name) => !isRecord(properties) || !Object.hasOwn(properties, name))
    if (declared.length === 0 && undeclared.length === 0 && (more === false || (isRecord(properties) && more === undefined)))
      return text('{}')
    if (undeclared.length > 0 && more === false) this.#lose(place, 'additionalProperties')
    const isAnyOther = declared.length === 0 && undeclared.length === 0
    const other =
      isRecord(more) && (isAnyOther || undeclared.length > 0)
        ? this.#expression(more, inside(place, 'additionalProperties'))
        : VALUE
    if (isAnyOther) return other === VALUE ? OBJECT : this.#own('object', () => record(other))
    const members = [
      ...declared.map(([name, node]) => [name, this.#expression(node, inside(place, 'properties', name))] as const),
      ...undeclared.map((name) => [name, other] as const),
    ].map(([name, value]) => ({ isRequired: names.has(name), expression: member(text(JSON.stringify(name)), value) }))
    return this.#own('object', (name) => sequence(text('{'), membersInOrder(members, `${name}-from`), text('}')))
  }

  /** Writes a nested part as a rule of its own, and returns a reference to that rule. */
  #own(kind: 'object' | 'list' | 'union', write: (name: string) => Expression): Expression {
    const name = `${this.#prefix}-${kind}-${this.#places[kind]++}`
    this.rules.set(name, write(name))
    return rule(name)
  }

  /** Returns a reference to a schema's rule. Each referenced schema has one rule, so that schemas may be recursive. */
  #reference(reference: string, { path }: Place): Expression {
    if (targetOf(reference, this.#root) === undefined)
      throw new TypeError(
        `toGrammar: in the schema of "${this.#tool}", ${path || '/'} refers to "${reference}", which does not exist. Define it, or correct the reference.`,
      )
    const name = this.#references.get(reference) ?? `${this.#prefix}-ref-${this.#references.size}`
    this.#references.set(reference, name)
    return rule(name, true)
  }

  #lengths(least: string, most: string, schema: SchemaNode, place: Place): { min: number; max: number | undefined } {
    const [min, max] = [heldLength(schema[least]), heldLength(schema[most])]
    if (min === undefined && schema[least] !== undefined) this.#lose(place, least)
    if (max === undefined && schema[most] !== undefined) this.#lose(place, most)
    if (min !== undefined && max !== undefined && min > max)
      throw new TypeError(
        `toGrammar: in the schema of "${this.#tool}", "${least}" at ${place.path || '/'} is above "${most}" (${min} > ${max}). Correct one of them.`,
      )
    return { min: min ?? 0, max }
  }

  #lose({ path }: Place, ...keywords: readonly string[]): void {
    for (const keyword of keywords) this.losses.push({ tool: this.#tool, path, keyword })
  }
}

function inside({ path, depth }: Place, ...steps: readonly (string | number)[]): Place {
  return { path: [path, ...steps.map((step) => pointerSegment(String(step)))].join('/'), depth: depth + 1 }
}
