/** A directory below the root, as the operations use it. Each implementation has its own protection against swaps. */
import type { FileHandle } from 'node:fs/promises'

export interface Directory {
  /** Path of an entry for `node:fs`; `.` is the directory itself. A link is an entry like any other. */
  pathOf(name: string): string
  /** Opens the directory with this name. Rejects with the error of `node:fs`, which is `ENOTDIR` or `ELOOP` for a link. */
  child(name: string): Promise<Directory>
  /** Creates a directory with this name. Rejects with the error of `mkdir`. */
  make(name: string): Promise<void>
  /**
   * Rejects with `path_outside_root` if the path now goes through a link, and with `busy` if another directory has taken its place or
   * `opened` isn't the entry now called `name`. Call it after opening, before content is returned or kept.
   */
  confirm(name?: string, opened?: FileHandle): Promise<void>
  close(): Promise<void>
}
