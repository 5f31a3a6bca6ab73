/** Lists a directory, or returns the status of one entry. */
import { lstat } from 'node:fs/promises'
import { type FileEntry, toFileEntry } from '../entry.ts'
import type { Jail } from '../jail/jail.ts'
import { walk } from '../jail/walk.ts'
import type { Place } from '../path.ts'

export interface ListOptions {
  readonly recursive: boolean
  readonly maxEntries: number
  readonly maxDepth: number
  readonly signal: AbortSignal
}

export interface FileList {
  readonly path: string
  /** Sorted by name. The content of a directory follows it. */
  readonly entries: readonly FileEntry[]
  /** True when there are more entries than these. */
  readonly truncated: boolean
}

export async function listEntries(jail: Jail, place: Place, options: ListOptions): Promise<FileList> {
  const { recursive, maxEntries, maxDepth, signal } = options
  const entries: FileEntry[] = []
  let truncated = false
  const onCut = () => {
    truncated = true
  }
  await jail.enter(place, async (directory) => {
    for await (const { path, stats } of walk(jail, directory, place.path, { depth: maxDepth, recursive, signal, onCut })) {
      if (entries.length === maxEntries) return onCut()
      entries.push(toFileEntry(path, stats))
    }
  })
  return { path: place.path, entries, truncated }
}

export interface FileStatus extends FileEntry {
  /** Last modification, ISO 8601 in UTC. */
  readonly modified: string
}

/** Returns an entry's status. A link is reported as a link; a path through a link is refused. */
export async function statusOf(jail: Jail, place: Place): Promise<FileStatus> {
  const stats =
    place.names.length === 0
      ? await jail.enter(place, (directory) => lstat(directory.pathOf('.')))
      : await jail.within(place, async ({ directory, name }) => {
          const found = await lstat(directory.pathOf(name))
          await directory.confirm()
          return found
        })
  return { ...toFileEntry(place.path, stats), modified: stats.mtime.toISOString() }
}
