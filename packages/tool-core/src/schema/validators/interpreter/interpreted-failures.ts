/** Converts the errors of the interpreting validator to the form of AJV's errors. */
import type { OutputUnit, Schema } from '@cfworker/json-schema'
import { memberOf, segmentsOf, valueAt } from '../../pointer.ts'
import { ValueNumbers } from '../equal.ts'
import type { Failure } from '../issues/failure.ts'
import { standsFor } from './interpreted-formats.ts'

type Lookup = Readonly<Record<string, Schema | boolean>>

/** The library reports a container before its members, and every container with a wrong member. AJV reports the container last. */
export function toFailures(errors: readonly OutputUnit[], schema: Schema, lookup: Lookup, instance: unknown): readonly Failure[] {
  const failures: Failure[] = []
  const open: Failure[] = []
  const close = (next?: Failure) => {
    while (open.length > 0 && !next?.schemaPath.startsWith(`${open.at(-1)?.schemaPath}/`)) failures.push(open.pop() as Failure)
  }
  for (const [index, error] of errors.slice(0, MAX_READ).entries()) {
    // Only repeats the previous error, which names the undeclared property.
    if (error.keyword === 'false' && OPEN_ENDED.has(errors[index - 1]?.keyword)) continue
    const failure = toFailure(error, parentOf(error, schema, lookup), instance)
    if (failure === undefined) continue
    close(failure)
    ;(UNIONS.has(failure.keyword) ? open : failures).push(failure)
  }
  close()
  return failures
}

const MAX_READ = 1_000
const UNIONS = new Set(['anyOf', 'oneOf'])
const OPEN_ENDED = new Set<unknown>(['additionalProperties', 'unevaluatedProperties'])
const CONTAINERS = new Set(
  '$ref $recursiveRef properties patternProperties items prefixItems additionalItems unevaluatedItems propertyNames dependentSchemas dependencies allOf if'.split(
    ' ',
  ),
)

function toFailure(
  { keyword, keywordLocation, instanceLocation, error }: OutputUnit,
  node: unknown,
  instance: unknown,
): Failure | undefined {
  const value = memberOf(node, keyword)
  const instancePath = decoded(instanceLocation)
  const base = { instancePath, schemaPath: keywordLocation, keyword }
  if (OPEN_ENDED.has(keyword)) {
    return value === false ? { ...base, params: { [keyword.replace('ties', 'ty')]: quotedIn(error) } } : undefined
  }
  if (keyword === 'dependentRequired' || (keyword === 'dependencies' && !error.endsWith(' schema.'))) {
    return { ...base, params: {}, message: `must have the properties that another property requires: ${error}` }
  }
  if (CONTAINERS.has(keyword)) return undefined
  if (keyword === 'false') return { ...base, keyword: 'false schema', params: {} }
  const ours = standsFor(node)
  if (ours !== undefined) return { ...base, ...ours }
  if (keyword === 'required') return { ...base, params: { missingProperty: quotedIn(error) } }
  if (keyword === 'uniqueItems') {
    const [i, j] = new ValueNumbers().duplicatesIn(valueAt(instance, instancePath) as readonly unknown[]) ?? []
    return { ...base, params: { i, j } }
  }
  if (keyword.endsWith('ontains')) return { ...base, params: {}, message: 'must contain the right number of valid items' }
  return { ...base, params: { [PARAMS[keyword] ?? 'limit']: value } }
}

const PARAMS: Readonly<Record<string, string>> = {
  type: 'type',
  const: 'allowedValue',
  enum: 'allowedValues',
  multipleOf: 'multipleOf',
}

/** The schema that contains the keyword; follows references. */
function parentOf({ keywordLocation }: OutputUnit, schema: Schema, lookup: Lookup): unknown {
  const way = segmentsOf(decoded(keywordLocation)).slice(0, -1)
  return way.reduce<unknown>((node, key) => {
    const isReference = key === '$ref' && typeof node === 'object' && node !== null
    return isReference ? lookup[(node as Schema).__absolute_ref__ ?? ''] : memberOf(node, key)
  }, schema)
}

/** The library writes pointers as URI fragments. */
function decoded(location: string): string {
  return decodeURIComponent(location.slice(1))
}

function quotedIn(error: string): string {
  return error.slice(error.indexOf('"') + 1, error.lastIndexOf('"'))
}
