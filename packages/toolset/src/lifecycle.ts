/** Opens and closes sources that have several users: the first opens, the last closes. */
import type { ToolSource } from '@x/tool-core'

interface Usage {
  users: number
  /** The last change of state; the next one waits for it. */
  changed: Promise<void>
}

const usages = new WeakMap<ToolSource, Usage>()

/** Opens the source unless a user has done so; settles when it is open. A source that failed to open has no users. */
export function openSource(source: ToolSource): Promise<void> {
  const usage = usages.get(source) ?? { users: 0, changed: Promise.resolve() }
  usages.set(source, usage)
  usage.users += 1
  if (usage.users > 1) return usage.changed
  usage.changed = afterwards(usage.changed, async () => {
    try {
      await source.open?.()
    } catch (error) {
      usage.users = 0
      throw error
    }
  })
  return usage.changed
}

/** Closes the source when this was its last user. One that nobody has opened here is closed too: its owner wants it so. */
export async function closeSource(source: ToolSource): Promise<void> {
  const usage = usages.get(source)
  if (usage === undefined) return source.close?.()
  usage.users = Math.max(0, usage.users - 1)
  if (usage.users > 0) return
  usage.changed = afterwards(usage.changed, async () => source.close?.())
  return usage.changed
}

/** After the last change, whether that succeeded or not: who made it was told. */
function afterwards(last: Promise<void>, change: () => Promise<void>): Promise<void> {
  return last.then(change, change)
}

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
