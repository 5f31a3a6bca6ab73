/** The data that the tools return about a file, a directory or a link. */
import type { Stats } from 'node:fs'

export interface FileEntry {
  readonly path: string
  readonly type: FileType
  /** Size in bytes. Only for a file. */
  readonly size?: number | undefined
}

/** The type of an entry. A link is reported as a link, whatever it points to. `other` is a device, a pipe or a socket. */
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
