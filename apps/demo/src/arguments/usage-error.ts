/** A command line that means nothing; the message is one line for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
