/** Opens and closes sources that have several users: the first opens, the last closes. */
import type { ToolSource } from './source.ts'

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
