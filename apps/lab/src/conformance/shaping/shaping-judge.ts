/**
 * Checks values that a shaped schema accepts against the original schema.
 *
 * Each value is restored first. Then it must be accepted by the original schema, or by a copy of the original without the keywords that
 * were reported as lost at their places. Losses that `restore` undoes (a renamed property, or null for an omitted one) remove nothing.
 * `oneOf` that was sent as `anyOf` becomes `anyOf`. If `additionalProperties` was lost, undeclared properties are allowed. If a value
 * contains the original name of a renamed property, that name is undeclared in the request, so its value may be anything.
 */
import type { Loss } from '@x/adapters/wire'
import { segmentsOf, valueAt } from '@x/tool-core'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createRandom } from '../../fuzz/random.ts'
import { makeInstance } from './shaping-instances.ts'
import { isNode, type Node } from './shaping-place.ts'

export interface Judgement {
  /** Number of values that the shaped schema accepts. */
  readonly judged: number
  /** Number of values that the original accepts only after the lost keywords are removed. */
  readonly reported: number
  /** Number of generated values that the shaped schema refuses. They aren't judged. */
  readonly unfit: number
  readonly faults: readonly string[]
}

export interface Judged {
  readonly original: Node
  readonly shaped: Node
  readonly losses: readonly Loss[]
  restore(args: Node): unknown
}

/** Judges random values. Returns undefined if no validator can compile the schemas, because of types that JSON Schema doesn't have. */
export function judge({ original, shaped, losses, restore }: Judged, instances: number, seed: number): Judgement | undefined {
  const isSent = compile(shaped)
  const isMeant = compileOnce(original)
  let isAllowed = isMeant === undefined ? compile(relax(original, losses)) : undefined
  if (isSent === undefined || (isMeant ?? isAllowed) === undefined) return undefined
  const random = createRandom(seed)
  const faults: string[] = []
  let [judged, reported, unfit] = [0, 0, 0]
  for (let count = 0; count < instances; count++) {
    const args = makeInstance(shaped, random)
    if (!isNode(args) || !fits(isSent, args)) {
      unfit++
      continue
    }
    judged++
    const restored = restore(args)
    if (isMeant !== undefined && fits(isMeant, restored)) continue
    isAllowed ??= compile(relax(original, losses))
    const unnamed = losses.filter(({ path, keyword }) => keyword === 'name' && holdsKey(args, segmentsOf(path).at(-1)))
    const isAllowedHere = unnamed.length === 0 ? isAllowed : compile(relax(original, losses, unnamed))
    if (isAllowedHere !== undefined && fits(isAllowedHere, restored)) reported++
    else faults.push(`${JSON.stringify(args).slice(0, 200)} is accepted: ${wordsOf(isAllowedHere ?? isMeant)}`)
  }
  return { judged, reported, unfit, faults: faults.slice(0, 3) }
}

/**
 * Returns true if the value is valid. Also returns true if validation overflows the stack, because a schema that refers directly to
 * itself can't be judged.
 */
function fits(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value)
  } catch (error) {
    if (error instanceof RangeError) return true
    throw error
  }
}

function wordsOf(validate: ValidateFunction | undefined): string {
  const [error] = validate?.errors ?? []
  return error === undefined ? 'no schema' : `${error.instancePath} ${error.message} (${error.schemaPath})`
}

/** Returns true if the key occurs at any depth. */
function holdsKey(value: unknown, key: string | undefined): boolean {
  if (typeof value !== 'object' || value === null || key === undefined) return false
  return Object.entries(value).some(([name, inner]) => (name === key && !Array.isArray(value)) || holdsKey(inner, key))
}

/** Returns a copy of the original without the lost keywords. The properties in `unnamed` accept any value. */
export function relax(original: Node, losses: readonly Loss[], unnamed: readonly Loss[] = []): Node {
  let relaxed = structuredClone(original) as Record<string, unknown>
  for (const { path, keyword, action, note } of losses) {
    if (action === 'refused' || RESTORED.has(keyword) || isRenamed({ keyword, note })) continue
    if (keyword === 'schema' && path === '') relaxed = {}
    else takeOut(relaxed, path, keyword)
  }
  for (const { path } of unnamed) takeOut(relaxed, path, 'schema')
  // Renamed properties are handled last, and innermost first, because other paths lead through `oneOf`.
  const renamed = losses.filter(isRenamed).sort((one, other) => other.path.length - one.path.length)
  for (const { path } of renamed) readAsAnyOf(valueAt(relaxed, segmentsOf(path)))
  return relaxed
}

/** Losses that `restore` undoes. */
const RESTORED = new Set(['nullable', 'name'])

/** Keywords to remove together with a lost one, because their meaning depends on it. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  prefixItems: ['items', 'additionalItems'],
  items: ['additionalItems'],
}

function isRenamed({ keyword, note }: Pick<Loss, 'keyword' | 'note'>): boolean {
  return keyword === 'oneOf' && note?.startsWith('sent as anyOf') === true
}

function readAsAnyOf(node: unknown): void {
  if (!isNode(node) || node.oneOf === undefined || node.anyOf !== undefined) return
  const { oneOf } = node
  delete (node as Record<string, unknown>).oneOf
  Object.assign(node, { anyOf: oneOf })
}

function takeOut(root: Record<string, unknown>, path: string, keyword: string): void {
  const segments = segmentsOf(path)
  const node = valueAt(root, segments)
  // `false` is equivalent to `not: {}`.
  if (keyword === 'schema' || node === false) {
    const holder = valueAt(root, segments.slice(0, -1))
    if (isNode(holder) || Array.isArray(holder)) (holder as Record<string, unknown>)[segments.at(-1) as string] = {}
    return
  }
  if (!isNode(node)) return
  const open = node as Record<string, unknown>
  if (keyword === 'required' && isNode(open.properties)) {
    const { properties, required } = open
    open.required = (Array.isArray(required) ? required : []).filter((name) => Object.hasOwn(properties as object, name))
    return
  }
  for (const lost of [keyword, ...(TOGETHER[keyword] ?? [])]) delete open[lost]
}

const OPTIONS: Options = {
  allErrors: false,
  strict: false,
  logger: false,
  validateSchema: false,
  ownProperties: true,
  code: { optimize: false },
  formats: {
    date: /^\d{4}-\d\d-\d\d$/,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
    time: /^\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
    duration: /^P[\dYMWDTHS]+$/,
    email: /^[^@\s]+@[^@\s]+$/,
    hostname: /^[a-z0-9.-]+$/i,
    ipv4: /^(?:\d{1,3}\.){3}\d{1,3}$/,
    ipv6: /^[0-9a-f:]+$/i,
    uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  },
}

const ONLY_IN_2020 = /"(?:prefixItems|dependentRequired|dependentSchemas|unevaluated(?:Items|Properties)|m(?:in|ax)Contains)"/

function compile(schema: Node): ValidateFunction | undefined {
  try {
    const is2020 = ONLY_IN_2020.test(JSON.stringify(schema))
    const { $schema: _, ...rest } = schema
    return new (is2020 ? Ajv2020 : Ajv)(OPTIONS).compile(rest)
  } catch {
    return undefined
  }
}

const compiled = new WeakMap<Node, ValidateFunction>()

/** Compiles a schema. The result is cached, because one original schema is used for many targets. */
function compileOnce(schema: Node): ValidateFunction | undefined {
  const known = compiled.get(schema) ?? compile(schema)
  if (known !== undefined) compiled.set(schema, known)
  return known
}
