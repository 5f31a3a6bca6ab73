/** Keywords of the interpreter that apply schemas to the members of a value. */
import { countingTest, type Matcher } from '../../pattern.ts'
import { isSchemaNode, type SchemaNode } from '../../schema.ts'
import { hasProperty } from './interpreted-assertions.ts'
import { type At, below } from './interpreted-place.ts'
import type { DefineRule, Run } from './interpreted-rule.ts'

/** The rules for each keyword, in the order in which their failures are reported. */
export const MEMBER_RULES: Readonly<Record<string, DefineRule>> = {
  required: (operand, _, run) => {
    const names = operand as readonly string[]
    return (value, at) =>
      !isSchemaNode(value) ||
      run.every(names, (name) => hasProperty(value, name) || run.fail(at, 'required', { missingProperty: name }))
  },
  propertyNames: (schema, _, run) => (value, at) =>
    !isSchemaNode(value) ||
    run.every(namesOf(value, run), (name) => {
      const found = run.evaluate(schema, name, below(at, 'propertyNames'))
      return found !== undefined || run.fail(at, 'propertyNames', { propertyName: name })
    }),
  properties: (operand, _, run) => {
    const properties = Object.entries(operand as SchemaNode)
    return (value, at, evaluated) => {
      if (!isSchemaNode(value)) return true
      let isValid = true
      for (const [name, schema] of properties) {
        if (!hasProperty(value, name)) continue
        evaluated.addName(name)
        if (run.evaluateMember(schema, value[name], at, name, ['properties', name])) continue
        isValid = false
        if (!run.collects) break
      }
      return isValid
    }
  },
  patternProperties: (operand, _, run) => {
    const patterns = patternsOf(operand, run)
    return (value, at, evaluated) => {
      if (!isSchemaNode(value)) return true
      let isValid = true
      for (const name of namesOf(value, run)) {
        for (const { source, matches, schema } of patterns) {
          if (!matches(name)) continue
          evaluated.addName(name)
          isValid = run.evaluateMember(schema, value[name], at, name, ['patternProperties', source]) && isValid
          if (!isValid && !run.collects) return false
        }
      }
      return isValid
    }
  },
  additionalProperties: (schema, node, run) => {
    const declared = isSchemaNode(node.properties) ? node.properties : {}
    const patterns = patternsOf(node.patternProperties, run)
    return (value, at, evaluated) => {
      if (!isSchemaNode(value)) return true
      const isAdditional = (name: string) => !Object.hasOwn(declared, name) && !patterns.some(({ matches }) => matches(name))
      const isValid = run.every(namesOf(value, run).filter(isAdditional), (name) => {
        if (schema === false) return run.fail(at, 'additionalProperties', { additionalProperty: name })
        return run.evaluateMember(schema, value[name], at, name, ['additionalProperties'])
      })
      evaluated.addAllNames()
      return isValid
    }
  },
  prefixItems: (schemas, _, run) => (value, at, evaluated) => {
    if (!Array.isArray(value)) return true
    evaluated.addItemsBelow((schemas as readonly unknown[]).length)
    return tuple(schemas as readonly unknown[], 'prefixItems', value, at, run)
  },
  items: (operand, node, run) => (value, at, evaluated) => {
    if (!Array.isArray(value)) return true
    if (!Array.isArray(operand)) {
      evaluated.addItemsBelow(Number.POSITIVE_INFINITY)
      return rest(operand, 'items', Array.isArray(node.prefixItems) ? node.prefixItems.length : 0, value, at, run)
    }
    // In draft 7, a list in `items` is a tuple.
    const { additionalItems } = node
    evaluated.addItemsBelow(additionalItems === undefined ? operand.length : Number.POSITIVE_INFINITY)
    const isValid = tuple(operand, 'items', value, at, run)
    if (additionalItems === undefined || (!isValid && !run.collects)) return isValid
    return rest(additionalItems, 'additionalItems', operand.length, value, at, run) && isValid
  },
  contains: (schema, node, run) => {
    const { minContains: min = 1, maxContains: max = Number.POSITIVE_INFINITY } = node as Readonly<Record<string, number>>
    const isEvaluating = run.isTracking && run.facts.draft !== '2019-09'
    return (value, at, evaluated) => {
      if (!Array.isArray(value)) return true
      let count = 0
      for (let index = 0; index < value.length; index++) {
        if (run.evaluateQuietly(schema, value[index], below(at, 'contains')) === undefined) continue
        count++
        if (isEvaluating) evaluated.addItem(index)
        else if (count >= min && max === Number.POSITIVE_INFINITY) break
        if (count > max) break
      }
      if (count >= min && count <= max) return true
      const isLimited = max !== Number.POSITIVE_INFINITY
      const params = { minContains: min, ...(isLimited && { maxContains: max }) }
      const most = isLimited ? ` and no more than ${max}` : ''
      return run.fail(at, 'contains', params, `must contain at least ${min}${most} valid item(s)`)
    }
  },
}

export const UNEVALUATED_RULES: Readonly<Record<string, DefineRule>> = {
  unevaluatedItems: (schema, _, run) => (value, at, evaluated) => {
    if (!Array.isArray(value)) return true
    run.work.take(value.length)
    let isValid = true
    for (let index = 0; index < value.length && (isValid || run.collects); index++) {
      if (evaluated.hasItem(index)) continue
      isValid =
        schema === false
          ? run.fail(at, 'unevaluatedItems', { limit: index }, `must NOT have more than ${index} items`)
          : run.evaluateMember(schema, value[index], at, index, ['unevaluatedItems']) && isValid
    }
    evaluated.addItemsBelow(Number.POSITIVE_INFINITY)
    return isValid
  },
  unevaluatedProperties: (schema, _, run) => (value, at, evaluated) => {
    if (!isSchemaNode(value)) return true
    const isValid = run.every(namesOf(value, run), (name) => {
      if (evaluated.hasName(name)) return true
      if (schema === false) return run.fail(at, 'unevaluatedProperties', { unevaluatedProperty: name })
      return run.evaluateMember(schema, value[name], at, name, ['unevaluatedProperties'])
    })
    evaluated.addAllNames()
    return isValid
  },
}

/** Returns the names of an object's properties, and counts steps for each of them. */
function namesOf(object: object, { work: { names, take } }: Run): readonly string[] {
  const list = names.of(object)
  take(STEPS_OF_A_NAME * list.length)
  return list
}

const STEPS_OF_A_NAME = 5

function tuple(schemas: readonly unknown[], keyword: string, list: readonly unknown[], at: At, run: Run): boolean {
  let isValid = true
  for (let index = 0; index < schemas.length && index < list.length && (isValid || run.collects); index++)
    isValid = run.evaluateMember(schemas[index], list[index], at, index, [keyword, index]) && isValid
  return isValid
}

/** Applies a schema to the items from the index `start` on. */
function rest(schema: unknown, keyword: string, start: number, list: readonly unknown[], at: At, run: Run): boolean {
  if (schema === true || list.length <= start) return true
  if (schema === false && start > 0) return run.fail(at, keyword, { limit: start }, `must NOT have more than ${start} items`)
  let isValid = true
  for (let index = start; index < list.length; index++) {
    isValid = run.evaluateMember(schema, list[index], at, index, [keyword]) && isValid
    if (!isValid && !run.collects) break
  }
  return isValid
}

interface PatternRule {
  readonly source: string
  readonly matches: (name: string) => boolean
  readonly schema: unknown
}

function patternsOf(operand: unknown, { work: { matchers, counter } }: Run): readonly PatternRule[] {
  if (!isSchemaNode(operand)) return []
  const patterns: PatternRule[] = []
  for (const source in operand)
    patterns.push({ source, schema: operand[source], matches: countingTest(matchers.get(source) as Matcher, counter) })
  return patterns
}
