/** What tools return about a file, directory or link. */
import type { Stats } from 'node:fs'

export interface FileEntry {
  readonly path: string
  readonly type: FileType
  /** Size in bytes. Files only. */
  readonly size?: number | undefined
}

/** A link is reported as a link, never as its target; `other` is a device, pipe or socket. */
export type FileType = 'file' | 'directory' | 'link' | 'other'

export function toFileEntry(path: string, stats: Stats): FileEntry {
  const type = typeOf(stats)
  return type === 'file' ? { path, type, size: stats.size } : { path, type }
}

function typeOf(stats: Stats): FileType {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'directory'
  return stats.isSymbolicLink() ? 'link' : 'other'
}
