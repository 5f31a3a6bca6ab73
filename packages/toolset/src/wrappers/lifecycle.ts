/** Opens and closes several sources together. */
import type { SourceHold } from '@x/tool-core'

/** Opens the sources in order. If one fails, closes the sources before it. Reports every failure. */
export async function openAll(holds: readonly SourceHold[]): Promise<void> {
  const opened: SourceHold[] = []
  for (const hold of holds) {
    try {
      await hold.open()
      opened.push(hold)
    } catch (error) {
      throw oneError('open', [error, ...(await closeEach(opened))])
    }
  }
}

/** Closes all sources in reverse order. Reports every failure. */
export async function closeAll(holds: readonly SourceHold[]): Promise<void> {
  const failures = await closeEach(holds)
  if (failures.length > 0) throw oneError('close', failures)
}

async function closeEach(holds: readonly SourceHold[]): Promise<readonly unknown[]> {
  const failures: unknown[] = []
  for (const hold of holds.toReversed()) await hold.close().catch((error: unknown) => failures.push(error))
  return failures
}

/** Returns a single failure unchanged. Combines several failures into an `AggregateError`, in order of occurrence. */
function oneError(change: string, failures: readonly unknown[]): unknown {
  return failures.length === 1
    ? failures[0]
    : new AggregateError(failures, `combine: ${change}() failed with ${failures.length} errors, which are in \`errors\`.`)
}
