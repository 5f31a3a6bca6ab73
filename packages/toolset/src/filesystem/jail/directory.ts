/**
 * The interface through which operations access a directory below the root. Its implementations differ in how they protect against
 * directories that are swapped during a call.
 */
import type { FileHandle } from 'node:fs/promises'

export interface Directory {
  /** Returns the path of an entry for `node:fs`. `.` is the directory itself. A link is an entry like any other. */
  pathOf(name: string): string
  /** Opens the directory with this name. Rejects with the error of `node:fs`. For a link, its code is `ENOTDIR` or `ELOOP`. */
  child(name: string): Promise<Directory>
  /** Creates a directory with this name. Rejects with the error of `mkdir`. */
  make(name: string): Promise<void>
  /**
   * Checks the directory again. Call it after opening an entry, before content is returned or kept. Rejects with `path_outside_root` if the
   * path now goes through a link. Rejects with `busy` if another directory is in its place, or if `opened` is no longer the entry called
   * `name`.
   */
  confirm(name?: string, opened?: FileHandle): Promise<void>
  close(): Promise<void>
}
