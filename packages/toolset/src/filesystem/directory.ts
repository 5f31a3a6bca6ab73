/** A directory below the root as the operations use it; how it is kept from being swapped is the business of each kind. */
import type { FileHandle } from 'node:fs/promises'

export interface Directory {
  /** What to hand to `node:fs` for an entry; `.` is the directory itself. A link is an entry like any other. */
  pathOf(name: string): string
  /** The directory of this name. Rejects as `node:fs` does, with `ENOTDIR` or `ELOOP` for a link. */
  child(name: string): Promise<Directory>
  /** Makes a directory of this name. Rejects as `mkdir` does. */
  make(name: string): Promise<void>
  /**
   * Rejects with `path_outside_root` unless this is still the directory that was checked, and with `busy` unless what was
   * opened under `name` is what lies in it under this name. Asked after opening, before content is given back or kept.
   */
  confirm(name?: string, opened?: FileHandle): Promise<void>
  close(): Promise<void>
}
