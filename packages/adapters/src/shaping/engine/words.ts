/**
 * Converts keywords that an API doesn't support to sentences in the description, which the model reads. All of these sentences
 * are in this file.
 */

/** Maximum length of the text for one keyword. Longer text would hide the actual description. */
const MAX_LENGTH = 500

/** Returns a sentence for each keyword. A minimum and its maximum share a sentence. */
export function toWords(moved: ReadonlyMap<string, unknown>): string {
  const sentences: string[] = []
  const keywordsDone = new Set<string>()
  for (const [keyword, value] of moved) {
    if (keywordsDone.has(keyword)) continue
    const pair = PAIRS.find(({ keywords }) => keywords.some((one) => one === keyword))
    if (pair !== undefined) for (const one of pair.keywords) keywordsDone.add(one)
    sentences.push(pair === undefined ? sentenceOf(keyword, value) : rangeOf(pair, moved))
  }
  return sentences.join(' ')
}

/** Returns false if the text for a keyword would be too long for a description. */
export function hasWords(keyword: string, value: unknown): boolean {
  return sentenceOf(keyword, value).length <= MAX_LENGTH
}

export function describe(description: unknown, words: string): string {
  return typeof description === 'string' && description !== '' ? `${description}\n${words}` : words
}

interface Pair {
  readonly keywords: readonly [string, string]
  readonly before: string
}

const PAIRS: readonly Pair[] = [
  { keywords: ['minimum', 'maximum'], before: 'Allowed' },
  { keywords: ['minLength', 'maxLength'], before: 'Number of characters' },
  { keywords: ['minItems', 'maxItems'], before: 'Number of items' },
  { keywords: ['minProperties', 'maxProperties'], before: 'Number of properties' },
]

function rangeOf({ keywords: [least, most], before }: Pair, moved: ReadonlyMap<string, unknown>): string {
  const [from, to] = [moved.get(least), moved.get(most)].map((limit) => limit !== undefined && JSON.stringify(limit))
  if (from && to) return `${before}: ${from} to ${to}.`
  return from ? `${before}: at least ${from}.` : `${before}: at most ${to}.`
}

function sentenceOf(keyword: string, value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (typeof value === 'boolean' && LIMITS.has(keyword)) return value ? `The ${LIMITS.get(keyword)} itself is excluded.` : ''
  switch (keyword) {
    case 'exclusiveMinimum':
      return `More than ${text}.`
    case 'exclusiveMaximum':
      return `Less than ${text}.`
    case 'multipleOf':
      return `A multiple of ${text}.`
    case 'pattern':
      return `Matches the regular expression ${text}`
    case 'format':
      return `Format: ${text}.`
    case 'uniqueItems':
      return value === true ? 'Items must be unique.' : 'Items may repeat.'
    case 'default':
      return `Default: ${JSON.stringify(value)}.`
    case 'example':
      return `Example: ${JSON.stringify(value)}.`
    case 'examples':
      return `Examples: ${text}.`
    case 'const':
      return `Always ${JSON.stringify(value)}.`
    case 'enum':
      return `One of ${text}.`
    case 'required':
      return `Required: ${Array.isArray(value) ? value.join(', ') : text}.`
    case 'prefixItems':
      return `Items in this order: ${text}.`
    case 'additionalProperties':
      return `Other properties: ${text}.`
    case 'patternProperties':
      return `Properties whose names match a pattern: ${text}.`
    case 'propertyNames':
      return `Property names: ${text}.`
    case 'contains':
      return `At least one item must match: ${text}.`
    case 'not':
      return `Not: ${text}.`
    default:
      return `${keyword}: ${text}.`
  }
}

/**
 * Keywords that may be boolean flags of a limit, as in JSON Schema draft 4 and OpenAPI 3.0. Each maps to the name of that limit.
 */
const LIMITS: ReadonlyMap<string, string> = new Map<string, string>([
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
])
