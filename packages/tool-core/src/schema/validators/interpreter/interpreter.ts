/** The interpreting validator, for environments that forbid code generation: `@cfworker/json-schema`, loaded at first use. */
import type { OutputUnit } from '@cfworker/json-schema'
import { type Issue, NO_ISSUES } from '../../issue.ts'
import { type LoadValidator, withinLimits } from '../check.ts'
import { explain } from '../issues/explain.ts'
import { StepCounter, TooManySteps } from '../steps.ts'
import { toFailures } from './interpreted-failures.ts'
import { addFormats, addPatterns } from './interpreted-formats.ts'
import { toInstance } from './interpreted-instance.ts'
import { toInterpreted } from './interpreted-schema.ts'

export const loadInterpreter: LoadValidator = async ({ nodes }) => {
  const { dereference, format, validate } = await import('@cfworker/json-schema')
  if (nodes.some((node) => node.format !== undefined)) await addFormats(format)
  return (facts) => {
    const counter = new StepCounter()
    const schema = toInterpreted(facts, counter)
    const lookup = dereference(schema)
    assertReferences(lookup)
    return withinLimits((value) => {
      const { instance, issues } = toInstance(value, facts, counter)
      if (issues.length > 0) return issues
      counter.start(value)
      addPatterns(format, facts, counter)
      const { valid, errors } = validate(instance, schema, DRAFT, lookup, true)
      if (valid) return NO_ISSUES
      const all = allErrors(() => validate(instance, schema, DRAFT, lookup, false)) ?? errors
      counter.start(value)
      const explained = explain(facts, value, toFailures(all, schema, lookup, instance))
      return explained.length > 0 ? explained : [UNEXPLAINED]
    })
  }
}

/** Fallback issue of an invalid value, because an empty list means that the value is valid. */
const UNEXPLAINED: Issue = Object.freeze({ path: '', keyword: 'schema', message: 'must fit the schema' })

/** The draft. In older drafts the library ignores the siblings of a `$ref`, unlike AJV. */
const DRAFT = '2019-09'

/** Throws for a missing reference. The library would throw only for a value that needs it. */
function assertReferences(lookup: Readonly<Record<string, unknown>>): void {
  for (const node of Object.values(lookup)) {
    const { $ref, __absolute_ref__: target } = node as { $ref?: string; __absolute_ref__?: string }
    if (target !== undefined && lookup[target] === undefined) throw new Error(`can't resolve reference ${$ref}`)
  }
}

/** `undefined` if there are too many errors, or collecting them takes too many steps. */
function allErrors(judge: () => { readonly errors: OutputUnit[] }): readonly OutputUnit[] | undefined {
  try {
    return judge().errors
  } catch (error) {
    if (error instanceof RangeError || error instanceof TooManySteps) return undefined
    throw error
  }
}
