/** Opens and closes several sources as one. */
import { closeSource, openSource, type ToolSource } from '@x/tool-core'

/** Opens in order. When one fails, those opened before it are closed again; every failure is reported. */
export async function openAll(sources: readonly ToolSource[]): Promise<void> {
  const opened: ToolSource[] = []
  for (const source of sources) {
    try {
      await openSource(source)
      opened.push(source)
    } catch (error) {
      throw oneError('open', [error, ...(await closeEach(opened))])
    }
  }
}

/** Closes in reverse order, all of them; every failure is reported. */
export async function closeAll(sources: readonly ToolSource[]): Promise<void> {
  const failures = await closeEach(sources)
  if (failures.length > 0) throw oneError('close', failures)
}

async function closeEach(sources: readonly ToolSource[]): Promise<readonly unknown[]> {
  const failures: unknown[] = []
  for (const source of sources.toReversed()) await closeSource(source).catch((error: unknown) => failures.push(error))
  return failures
}

/** What was thrown, as it is; of several, an `AggregateError` that holds them in the order in which they occurred. */
function oneError(change: string, failures: readonly unknown[]): unknown {
  return failures.length === 1
    ? failures[0]
    : new AggregateError(failures, `combine: ${failures.length} failures while it was to ${change}.`)
}
