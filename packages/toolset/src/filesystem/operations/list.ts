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
  /** The entries, sorted by name. Those in a directory come directly after the directory. */
  readonly entries: readonly FileEntry[]
  /** True if there are more entries than these. */
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
  /** Time of the last modification, as ISO 8601 in UTC. */
  readonly modified: string
}

/** Returns the status of an entry. A link is reported as a link, but a path through a link is refused. */
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
