/** Which ids a run may have: such as every engine can keep. */
import { DurableError } from './errors.ts'

const ID = /^[A-Za-z0-9._:-]{1,200}$/

/** Throws `invalid_id`. */
export function assertRunId(id: string): void {
  if (ID.test(id)) return
  throw new DurableError('invalid_id', `${JSON.stringify(id)} is no id of a run: give 1 to 200 letters, digits and ". _ : -".`)
}
