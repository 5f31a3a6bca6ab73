/** Counts the users of a tool source. The first user opens the source, and the last one closes it. */
import type { ToolSource } from './source.ts'

interface Usage {
  users: number
  /** Identifies the current opening, so that an earlier opening that fails late doesn't reset `users`. */
  opening: object
  /** Settles when the latest opening or closing has ended. The next one waits for it. */
  changed: Promise<void>
}

const usages = new WeakMap<ToolSource, Usage>()

/** One user's reference to a shared source. */
export interface SourceHold {
  /** Opens the source, unless another user already has. Resolves when the source is open. A second call has no effect. */
  open(): Promise<void>
  /** Closes the source, unless another user still needs it. A second call doesn't affect other users. */
  close(): Promise<void>
}

/** Creates a user of the source. It counts as one user, however often it opens and closes the source. */
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
        // Also closes a source that wasn't opened through this module, because the caller asked for it.
        if ((usages.get(source)?.users ?? 0) === 0) await closeSource(source)
        return
      }
      held = undefined
      await closeSource(source)
    },
  }
}

/** Opens the source, unless another user already has. Resolves when the source is open. If opening fails, the source has no users. */
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

/** Closes the source if this was its last user. Also closes a source that wasn't opened through `openSource`. */
export async function closeSource(source: ToolSource): Promise<void> {
  const usage = usages.get(source)
  if (usage === undefined) return source.close?.()
  usage.users = Math.max(0, usage.users - 1)
  if (usage.users > 0) return
  usage.opening = {}
  usage.changed = afterwards(usage.changed, async () => source.close?.())
  return usage.changed
}

/**
 * Runs a change after the previous one has succeeded or failed. Ignores a failure of the previous change, which its own caller receives.
 */
function afterwards(last: Promise<void>, change: () => Promise<void>): Promise<void> {
  return last.then(change, change)
}
