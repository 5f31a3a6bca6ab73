/**
 * Validates without generating code. Used where code generation is forbidden, and for schemas that AJV evaluates wrongly or slowly. Loaded
 * at first use.
 */
import { type LoadValidator, toCheck } from '../check.ts'
import { loadFormats } from '../formats.ts'
import { StepCounter } from '../steps.ts'

export const loadInterpreter: LoadValidator = async ({ nodes }) => {
  const { Interpretation } = await import('./interpretation.ts')
  const formatsFor = nodes.some(({ format }) => format !== undefined) ? await loadFormats() : () => ({})
  return (facts) => {
    const counter = new StepCounter()
    const interpretation = new Interpretation(facts, counter, formatsFor(counter))
    const findFailures = (collects: boolean) => (value: unknown, steps: number) => {
      counter.start(value, steps)
      return interpretation.failuresOf(value, collects)
    }
    return toCheck(facts, findFailures)
  }
}
