/** Value types of keywords. Validators ignore a value of another type, or fail when they need it. */

/** Throws for a keyword with a value of the wrong type. */
export function assertKind(keyword: string, value: unknown): void {
  const kinds = KINDS.get(keyword)
  const kind = Array.isArray(value) ? 'array' : typeof value
  if (kinds !== undefined && !kinds.includes(kind)) throw new Error(`${keyword} value must be ${JSON.stringify(kinds)}`)
}

/** True for a keyword whose value must have a certain type. */
export function hasKind(keyword: string): boolean {
  return KINDS.has(keyword)
}

const KINDS = new Map<string, readonly string[]>()
for (const [kinds, keywords] of [
  [
    'number',
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties',
  ],
  ['string', '$ref pattern format formatMinimum formatMaximum formatExclusiveMinimum formatExclusiveMaximum'],
  ['string array', 'type'],
  ['boolean', 'uniqueItems'],
  ['array', 'required enum allOf anyOf oneOf prefixItems'],
  ['object', 'properties patternProperties dependencies dependentRequired dependentSchemas'],
  [
    'object boolean',
    'propertyNames contains not if then else additionalProperties unevaluatedProperties additionalItems unevaluatedItems',
  ],
  ['object array boolean', 'items'],
] as const)
  for (const keyword of keywords.split(' ')) KINDS.set(keyword, kinds.split(' '))
