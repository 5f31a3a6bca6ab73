/** What a tool tells about a file, directory or link. */
import type { Stats } from 'node:fs'

export interface FileEntry {
  readonly path: string
  readonly type: FileType
  /** Of a file, in bytes. */
  readonly size?: number | undefined
}

/** A link is shown as one, never as what it points to; `other` is a device, pipe or socket. */
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
