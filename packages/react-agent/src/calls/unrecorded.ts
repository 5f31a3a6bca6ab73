/** Thrown when `steps` rejects after execution of a call has started. `cause` is what it rejected with. */
export class Unrecorded {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}
