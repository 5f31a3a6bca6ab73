/** An invalid command line. The message is one line for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
