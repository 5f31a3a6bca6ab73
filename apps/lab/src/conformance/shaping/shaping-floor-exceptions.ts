/**
 * Cases in which a shaped schema may differ from the output of an existing converter. Each exception has a reason. It also rewrites the
 * expected schema to the form that is sent, so that all values are still compared.
 */
import type { Loss } from '@x/adapters/wire'
import { isSameJson } from '../compare.ts'
import { isNode, type Node, type Place } from './shaping-place.ts'

export interface FloorException {
  readonly dialects: readonly string[]
  readonly reason: string
  /** Returns the rewritten node, or an equal node if the exception doesn't apply. */
  rewrite(expected: Node, context: FloorContext): Node
}

export interface FloorContext {
  /** The original schema's nodes for the same value. */
  readonly place: Place
  /** The losses at these nodes. */
  readonly losses: readonly Loss[]
  /** Losses anywhere in the schema that say why strict mode isn't used. */
  readonly refusals: readonly Loss[]
  readonly isStrict: boolean
}

/** The corpus expects `null` if the parameters are omitted. */
export const MISSING_PARAMETERS = {
  dialects: ['gemini'],
  reason: 'The wire format omits parameters without properties. The shaped schema still contains them.',
}

const GEMINI = ['gemini']
const OPENAI_STRICT = ['openai-strict']
const STRICT = [...OPENAI_STRICT, 'anthropic-messages:strict-output', 'bedrock-converse:strict']

/** Keywords that are sent even though neither the converter's output nor the original contains them. */
export const ADDED_KEYWORDS = [
  {
    dialects: ['openai-chat', 'openai-responses', ...OPENAI_STRICT],
    keywords: ['properties'],
    reason: 'OpenAI drops an object without `properties`, so the root always has them, even if they are empty.',
  },
  {
    dialects: GEMINI,
    keywords: ['items', 'type'],
    reason: 'The API refuses an array without `items`, and Gemini 3 refuses a schema without a type.',
  },
  {
    dialects: STRICT,
    keywords: ['additionalProperties', 'required', 'type'],
    reason: 'Strict mode requires closed objects and a type. With OpenAI, it also requires every property.',
  },
] satisfies readonly { readonly dialects: readonly string[]; readonly keywords: readonly string[]; readonly reason: string }[]

/** Returns the new names of properties that were renamed because the API refuses their names, keyed by JSON pointer. */
export function wireNamesOf(losses: readonly Loss[]): ReadonlyMap<string, string> {
  const renamed = losses.flatMap(({ path, keyword, note }): readonly (readonly [string, string])[] => {
    const name = keyword === 'name' ? /^called (\S+);/.exec(note ?? '')?.[1] : undefined
    return name === undefined ? [] : [[path, name]]
  })
  return new Map(renamed)
}

export const FLOOR_EXCEPTIONS: readonly FloorException[] = [
  {
    dialects: GEMINI,
    reason:
      'The Gemini subset of JSON Schema has no allOf, and a request with a field outside the subset fails, so the schemas in allOf are merged.',
    rewrite: ({ allOf, ...node }) => {
      const parts = allOf === undefined ? [] : [allOf].flat()
      const keywords = [node, ...parts].flatMap((part) => Object.keys(part as Node))
      if (allOf === undefined) return node
      return new Set(keywords).size < keywords.length ? { ...node, allOf } : Object.assign({}, node, ...(parts as Node[]))
    },
  },
  {
    dialects: GEMINI,
    reason: 'The subset has no oneOf, so anyOf is sent, with a loss.',
    rewrite: ({ oneOf, ...node }) =>
      oneOf === undefined ? node : { ...node, [node.anyOf === undefined ? 'anyOf' : 'oneOf']: oneOf },
  },
  {
    dialects: GEMINI,
    reason: "The subset can't combine the type null with other types, so null becomes `nullable`.",
    rewrite: (node) => {
      const { anyOf } = node
      const others = Array.isArray(anyOf) ? anyOf.filter((choice) => !isNull(choice)) : []
      const hasNull = Array.isArray(anyOf) && others.length > 0 && others.length < anyOf.length
      return hasNull ? { ...node, anyOf: others, nullable: true } : node
    },
  },
  {
    dialects: GEMINI,
    reason: 'A choice with only one option means the same without anyOf.',
    rewrite: ({ anyOf, ...node }) => {
      const [only, ...others] = Array.isArray(anyOf) ? anyOf : []
      const isOne = isNode(only) && others.length === 0 && !Object.keys(only).some((keyword) => Object.hasOwn(node, keyword))
      return isOne ? { ...node, ...only } : { ...node, ...(anyOf !== undefined && { anyOf }) }
    },
  },
  {
    dialects: GEMINI,
    reason:
      'Vertex accepts no field next to anyOf, so annotations and nullable move to the first choice, and the type to each choice.',
    rewrite: ({ anyOf, ...node }) => {
      const [first, ...others] = typedBy(node, Array.isArray(anyOf) ? anyOf : [])
      if (!isNode(first) || others.length === 0) return { ...node, ...(anyOf !== undefined && { anyOf }) }
      const moved = Object.entries(node).filter(([keyword]) => BESIDE_CHOICES.has(keyword) && !Object.hasOwn(first, keyword))
      const rest = Object.entries(node).filter(([keyword]) => keyword !== 'type' && !moved.some(([one]) => one === keyword))
      return { ...Object.fromEntries(rest), anyOf: [{ ...first, ...Object.fromEntries(moved) }, ...others] }
    },
  },
  {
    dialects: GEMINI,
    reason: 'Gemini 3 refuses a schema without a type, so a choice of all types is sent.',
    rewrite: (node) => {
      const isOpen = Object.keys(node).every((keyword) => BESIDE_CHOICES.has(keyword))
      return isOpen ? { anyOf: [{ type: 'string', nullable: true, ...node }, ...OTHER_TYPES.map((type) => ({ type }))] } : node
    },
  },
  {
    dialects: GEMINI,
    reason: "The subset has no tuples, so a list of any of the tuple's items is sent, with a loss.",
    rewrite: (node, { losses }) => {
      const { items } = node
      if (!Array.isArray(items) || !losses.some(({ keyword }) => keyword === 'items')) return node
      const different = items.filter((one, index) => items.findIndex((other) => isSameJson(one, other)) === index)
      return { ...node, items: different.length === 1 ? different[0] : { anyOf: different } }
    },
  },
  {
    dialects: GEMINI,
    reason:
      'An enum must contain strings, so the type is string (see Schema.enum in the API reference). `restore` converts the values back.',
    rewrite: (node) => {
      const isOfTexts = Array.isArray(node.enum) && node.enum.every((one) => typeof one === 'string')
      const isOther = ['number', 'integer', 'boolean'].includes(String(node.type))
      return node.format === 'enum' && isOfTexts && isOther ? { ...node, type: 'string' } : node
    },
  },
  {
    dialects: GEMINI,
    reason:
      'The API accepts few formats, and only enum values of the schema type. Others move to the description, as in pydantic-ai.',
    rewrite: (node, context) => withoutLost(node, ['format', 'enum'], 'moved_to_description', context),
  },
  {
    dialects: OPENAI_STRICT,
    reason: 'Our rules for strict mode drop $schema, which is only an annotation.',
    rewrite: (node, context) => withoutLost(node, ['$schema'], 'dropped', context),
  },
  {
    dialects: OPENAI_STRICT,
    reason:
      'Our rules for strict mode allow only the supported formats, and no length limits. The rest moves to the description.',
    rewrite: (node, context) =>
      withoutLost(node, ['format', 'pattern', 'minLength', 'maxLength'], 'moved_to_description', context),
  },
  {
    dialects: OPENAI_STRICT,
    reason: 'In strict mode, a $ref must not have siblings, so pydantic-ai moves it into anyOf.',
    rewrite: ({ $ref, ...node }, { isStrict }) => {
      if ($ref === undefined) return node
      const isAlone = Object.keys(node).length === 0 || node.anyOf !== undefined
      return isAlone || !isStrict ? { ...node, $ref } : { ...node, anyOf: [{ $ref }] }
    },
  },
  {
    dialects: OPENAI_STRICT,
    reason:
      'The converter adds a choice for an optional property, and repeats the description there. One description is enough for a model.',
    rewrite: (node, { isStrict }) => {
      const inner = isStrict ? addedChoice(node) : undefined
      if (inner === undefined || inner.description === undefined || inner.description !== node.description) return node
      const { description: _, ...choice } = inner
      return { ...node, anyOf: [choice, NULL] }
    },
  },
  {
    dialects: OPENAI_STRICT,
    reason:
      'A schema that strict mode does not support is sent without strict mode, and a loss reports the reason. See NOT_STRICT.',
    rewrite: (node, { refusals, place }) => {
      const isListed = refusals.length > 0 && refusals.every(({ keyword }) => NOT_STRICT.has(keyword))
      return isListed ? withoutStrict(node, place) : node
    },
  },
  {
    dialects: ['anthropic-messages:strict-output'],
    reason: "Keywords that strict mode doesn't support move to the description, with different text than the converter's.",
    rewrite: (node, { losses, place }) => {
      const moved = losses.filter(({ action }) => action === 'moved_to_description')
      const pieces = moved.map(({ keyword }) => `${toPhrase(keyword)}: ${valueAt(place, keyword)}`)
      const { description, ...rest } = node
      if (typeof description !== 'string' || pieces.length === 0) return node
      const start = description.lastIndexOf('\n') + 1
      const words = pieces.reduce((left, piece) => left.replace(piece, () => ''), description.slice(start))
      if (!/^(?:; )*\.$/.test(words)) return node
      return start === 0 ? rest : { ...rest, description: description.slice(0, start - 1) }
    },
  },
]

const NULL: Node = { type: 'null' }
const OTHER_TYPES = ['number', 'boolean', 'object', 'array']
const BESIDE_CHOICES = new Set(['title', 'description', 'default', 'nullable'])
/**
 * Keywords that may prevent strict mode in a schema for which the converter uses it. If one of them can't be sent, the schema is sent
 * without strict mode. The values are the reasons.
 */
const NOT_STRICT: ReadonlyMap<string, string> = new Map([
  ['properties', 'An object without properties is a map. Strict mode only supports closed objects: see `caution` in the corpus.'],
  ['type', 'Strict mode requires a type: openai-agents-js refuses open schemas without one.'],
  ['items', 'Strict mode does not support tuples: openai-agents-js and pydantic-ai refuse prefixItems.'],
  ['prefixItems', 'Strict mode does not support tuples: openai-agents-js and pydantic-ai refuse prefixItems.'],
])

function isNull(node: unknown): boolean {
  return isSameJson(node, NULL)
}

function typedBy({ type }: Node, choices: readonly unknown[]): readonly unknown[] {
  return choices.map((choice) =>
    type !== undefined && isNode(choice) && choice.type === undefined ? { type, ...choice } : choice,
  )
}

/** Removes keywords that have the same value in the original, if their loss is reported. */
function withoutLost(node: Node, keywords: readonly string[], action: Loss['action'], { place, losses }: FloorContext): Node {
  const isLost = (keyword: string, value: unknown) =>
    keywords.includes(keyword) &&
    losses.some((loss) => loss.keyword === keyword && loss.action === action) &&
    place.some(({ node: original }) => isSameJson(original[keyword], value))
  return Object.fromEntries(Object.entries(node).filter(([keyword, value]) => !isLost(keyword, value)))
}

/** Returns the schema of an optional property, to which the converter added null as a second choice. */
function addedChoice({ anyOf }: Node): Node | undefined {
  const [choice, nothing, ...others] = Array.isArray(anyOf) ? anyOf : []
  return isNode(choice) && isNull(nothing) && others.length === 0 ? choice : undefined
}

/** Undoes the changes for strict mode, which closes each object, requires every property, and uses null for an omitted optional one. */
function withoutStrict(node: Node, place: Place): Node {
  const original = place.find(({ node: one }) => isNode(one.properties))?.node
  const { properties, required, additionalProperties } = node
  if (original === undefined || !isNode(properties) || additionalProperties !== false) return node
  const names = Object.keys(properties)
  const placed = original.properties as Node
  if (!isSameJson([...names].sort(), Array.isArray(required) ? [...required].sort() : required)) return node
  const needed: readonly unknown[] = Array.isArray(original.required) ? original.required : []
  const open = (name: string) => {
    const isNullable = needed.includes(name) || (isNode(placed[name]) && addedChoice(placed[name]) !== undefined)
    return isNullable ? properties[name] : optional(properties[name])
  }
  const { additionalProperties: _, required: __, ...rest } = node
  return {
    ...rest,
    properties: Object.fromEntries(names.map((name) => [name, open(name)])),
    ...(original.required !== undefined && { required: original.required }),
    ...(original.additionalProperties !== undefined && { additionalProperties: original.additionalProperties }),
  }
}

function optional(property: unknown): unknown {
  const inner = isNode(property) ? addedChoice(property) : undefined
  if (inner === undefined) return property
  const { anyOf: _, ...outer } = property as Node
  return isSameJson(outer, inner.description === undefined ? {} : { description: inner.description }) ? inner : property
}

function valueAt(place: Place, keyword: string): string {
  const value = place.find(({ node }) => Object.hasOwn(node, keyword))?.node[keyword]
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Splits a keyword into words: `minLength` becomes "min length". */
function toPhrase(keyword: string): string {
  return keyword.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
