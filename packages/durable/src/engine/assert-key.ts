/** Keys of steps, and names of decisions: a record of anything else could not be read again. */
import { DurableError } from '../errors.ts'

/** Throws `invalid_value`. */
export function assertKey(key: unknown): asserts key is string {
  if (typeof key === 'string') return
  throw new DurableError('invalid_value', `A step's key, or the name of a decision, is of type ${typeof key}. Give a text.`)
}
