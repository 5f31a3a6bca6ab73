/** Which ids a run may have: such as every engine can keep. */
import { DurableError } from '../errors.ts'

const ID = /^[A-Za-z0-9._:-]{1,200}$/

export function isRunId(id: unknown): id is string {
  return typeof id === 'string' && ID.test(id)
}

/** Throws `invalid_id`. */
export function assertRunId(id: unknown): void {
  if (isRunId(id)) return
  const said = typeof id === 'string' ? JSON.stringify(id) : `A value of type ${typeof id}`
  throw new DurableError('invalid_id', `${said} is no id of a run: give 1 to 200 letters, digits and ". _ : -".`)
}
