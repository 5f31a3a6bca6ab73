/** Thrown if `steps` rejects after execution of the call has started. `cause` is the error of `steps`. */
export class Unrecorded {
  readonly cause: unknown

  constructor(cause: unknown) {
    this.cause = cause
  }
}
