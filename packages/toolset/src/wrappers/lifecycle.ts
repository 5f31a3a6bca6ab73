/** Opens and closes several sources as one. */
import type { SourceHold } from '@x/tool-core'

/** Opens in order. When one fails, those opened before it are closed again; every failure is reported. */
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

/** Closes in reverse order, all of them; every failure is reported. */
export async function closeAll(holds: readonly SourceHold[]): Promise<void> {
  const failures = await closeEach(holds)
  if (failures.length > 0) throw oneError('close', failures)
}

async function closeEach(holds: readonly SourceHold[]): Promise<readonly unknown[]> {
  const failures: unknown[] = []
  for (const hold of holds.toReversed()) await hold.close().catch((error: unknown) => failures.push(error))
  return failures
}

/** What was thrown, as it is; of several, an `AggregateError` that holds them in the order in which they occurred. */
function oneError(change: string, failures: readonly unknown[]): unknown {
  return failures.length === 1
    ? failures[0]
    : new AggregateError(failures, `combine: ${failures.length} failures while it was to ${change}.`)
}
