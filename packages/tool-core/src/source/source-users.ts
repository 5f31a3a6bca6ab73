/** Counts a source's users. The first user opens the source, and the last one closes it. */
import type { ToolSource } from './source.ts'

interface Usage {
  users: number
  /** Identifies the current opening, so that the failure of an earlier one doesn't reset `users`. */
  opening: object
  /** Settles when the last open or close has ended. The next open or close waits for it. */
  changed: Promise<void>
}

const usages = new WeakMap<ToolSource, Usage>()

/** One user's reference to a shared source. */
export interface SourceHold {
  /** Opens the source, unless another user has opened it. Resolves when it's open. A second call has no effect. */
  open(): Promise<void>
  /** Closes the source, unless another user still holds it. A second call doesn't close a source that others hold. */
  close(): Promise<void>
}

/** Creates one user of the source. It counts as one user, however often it opens and closes the source. */
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
        // A source that wasn't opened through this module is closed too, because the caller requested it.
        if ((usages.get(source)?.users ?? 0) === 0) await closeSource(source)
        return
      }
      held = undefined
      await closeSource(source)
    },
  }
}

/** Opens the source, unless another user has opened it. Resolves when it's open. If opening fails, the source has no users. */
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

/** Closes the source if this was its last user. A source that wasn't opened through `openSource` is closed too. */
export async function closeSource(source: ToolSource): Promise<void> {
  const usage = usages.get(source)
  if (usage === undefined) return source.close?.()
  usage.users = Math.max(0, usage.users - 1)
  if (usage.users > 0) return
  usage.opening = {}
  usage.changed = afterwards(usage.changed, async () => source.close?.())
  return usage.changed
}

/** Runs the change after the previous one, whether that one succeeded or failed. The caller of the previous change receives its failure. */
function afterwards(last: Promise<void>, change: () => Promise<void>): Promise<void> {
  return last.then(change, change)
}
