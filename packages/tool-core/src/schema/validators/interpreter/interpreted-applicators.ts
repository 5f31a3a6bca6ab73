/** Keywords of the interpreter that apply schemas to the value itself. */
import { isSchemaNode as isObject, type SchemaNode } from '../../schema.ts'
import type { Evaluated } from './evaluated.ts'
import { hasProperty } from './interpreted-assertions.ts'
import { type At, below } from './interpreted-place.ts'
import type { DefineRule, Run } from './interpreted-rule.ts'

/** The rules for each keyword, in the order in which their failures are reported. */
export const APPLICATORS: Readonly<Record<string, DefineRule>> = {
  $ref: (reference, node, run) => {
    const target = run.facts.targets.get(node)
    if (target === undefined) throw new Error(`can't resolve reference ${reference}`)
    return (value, at, evaluated) => evaluated.addAll(run.evaluateOnce(target, value, below(at, '$ref')))
  },
  $dynamicRef: (_, node, run) => {
    const reference = run.facts.dynamic?.references.get(node)
    if (reference === undefined) return undefined
    return (value, at, evaluated) => {
      const target = run.outermost(reference.name) ?? reference.target
      return evaluated.addAll(run.evaluateOnce(target, value, below(at, '$dynamicRef')))
    }
  },
  not: (schema, _, run) => (value, at) =>
    run.evaluateQuietly(schema, value, below(at, 'not')) === undefined || run.fail(at, 'not', {}),
  anyOf: (schemas, _, run) => (value, at, evaluated) => {
    // While evaluated members are tracked, every matching schema counts, not only the first one.
    const passing = passingOf(schemas, 'anyOf', { value, at, evaluated, most: run.isTracking ? Infinity : 1 }, run)
    return passing.length > 0 || run.fail(at, 'anyOf', {})
  },
  oneOf: (schemas, _, run) => (value, at, evaluated) => {
    const passing = passingOf(schemas, 'oneOf', { value, at, evaluated, most: 2 }, run)
    return passing.length === 1 || run.fail(at, 'oneOf', { passingSchemas: passing.length > 1 ? passing : null })
  },
  allOf: (schemas, _, run) => (value, at, evaluated) => {
    let isValid = true
    const list = listOf(schemas)
    for (let index = 0; index < list.length && (isValid || run.collects); index++)
      isValid = evaluated.addAll(run.evaluate(list[index], value, below(at, 'allOf', index))) && isValid
    return isValid
  },
  if: (schema, node, run) => {
    if (node.then === undefined && node.else === undefined && !run.isTracking) return undefined
    return (value, at, evaluated) => {
      const found = run.evaluateQuietly(schema, value, below(at, 'if'))
      if (found !== undefined) evaluated.addAll(found)
      const failingKeyword = found === undefined ? 'else' : 'then'
      if (evaluated.addAll(run.evaluate(node[failingKeyword] ?? true, value, below(at, failingKeyword)))) return true
      return run.fail(at, 'if', { failingKeyword }, `must match "${failingKeyword}" schema`)
    }
  },
  dependentSchemas: dependent('dependentSchemas'),
  dependentRequired: dependent('dependentRequired'),
  dependencies: dependent('dependencies'),
}

interface Choice {
  readonly value: unknown
  readonly at: At
  readonly evaluated: Evaluated
  /** The search stops after this many matching schemas. */
  readonly most: number
}

/** Returns the indexes of the schemas that match the value. Reports their failures only if none of them match. */
function passingOf(schemas: unknown, keyword: string, { value, at, evaluated, most }: Choice, run: Run): readonly number[] {
  const passing: number[] = []
  const start = run.startUnion()
  const list = listOf(schemas)
  for (let index = 0; index < list.length && passing.length < most; index++)
    if (evaluated.addAll(run.evaluate(list[index], value, below(at, keyword, index)))) passing.push(index)
  run.endUnion(start, passing.length > 0)
  return passing
}

/**
 * Defines a keyword that applies if an object has a certain property. It requires a schema to match the object, or other properties to be
 * present.
 */
function dependent(keyword: string): DefineRule {
  return (operand, _, run) => {
    const dependencies = Object.entries(operand as SchemaNode)
    return (value, at, evaluated) =>
      !isObject(value) ||
      run.every(dependencies, ([property, needed]) => {
        if (!hasProperty(value, property)) return true
        if (!Array.isArray(needed)) return evaluated.addAll(run.evaluate(needed, value, below(at, keyword, property)))
        const missing: unknown = needed.find((name) => !hasProperty(value, name as string))
        if (missing === undefined) return true
        const deps = needed.join(', ')
        const words = `must have ${needed.length === 1 ? 'property' : 'properties'} ${deps} when property ${property} is present`
        run.work.take(needed.length)
        return run.fail(at, keyword, { property, missingProperty: missing, depsCount: needed.length, deps }, words)
      })
  }
}

function listOf(schemas: unknown): readonly unknown[] {
  return schemas as readonly unknown[]
}
