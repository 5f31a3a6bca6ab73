/** Opens and closes sources that have several users: the first opens, the last closes. */
import type { ToolSource } from './source.ts'

interface Usage {
  users: number
  /** Tells the opening that the users wait for from those before and after it. */
  opening: object
  /** The last change of state; the next one waits for it. */
  changed: Promise<void>
}

const usages = new WeakMap<ToolSource, Usage>()

/** One user's hold on a source. */
export interface SourceHold {
  /** Opens the source unless another user has done so; settles when it is open. A second call opens nothing. */
  open(): Promise<void>
  /** Closes the source unless another user holds it. A second call closes nothing that others hold. */
  close(): Promise<void>
}

/** A hold that is counted once, however often it is opened and closed. */
export function holdSource(source: ToolSource): SourceHold {
  let held: Promise<void> | undefined
  return {
    open() {
      if (held !== undefined) return held
      const opening = openSource(source).catch((error: unknown) => {
        if (held === opening) held = undefined
        throw error
      })
      held = opening
      return opening
    },
    async close() {
      if (held === undefined) {
        // One that nobody has opened here is closed too: its owner wants it so.
        if ((usages.get(source)?.users ?? 0) === 0) await closeSource(source)
        return
      }
      held = undefined
      await closeSource(source)
    },
  }
}

/** Opens the source unless a user has done so; settles when it is open. A source that failed to open has no users. */
export function openSource(source: ToolSource): Promise<void> {
  const usage = usages.get(source) ?? { users: 0, opening: {}, changed: Promise.resolve() }
  usages.set(source, usage)
  usage.users += 1
  if (usage.users > 1) return usage.changed
  const opening = {}
  usage.opening = opening
  usage.changed = afterwards(usage.changed, async () => {
    try {
      await source.open?.()
    } catch (error) {
      if (usage.opening === opening) usage.users = 0
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
  usage.opening = {}
  usage.changed = afterwards(usage.changed, async () => source.close?.())
  return usage.changed
}

/** After the last change, whether that succeeded or not: who made it was told. */
function afterwards(last: Promise<void>, change: () => Promise<void>): Promise<void> {
  return last.then(change, change)
}
