/** Compares two snapshots of a file's status. */
import type { BigIntStats } from 'node:fs'
import { lstat } from 'node:fs/promises'

/** Returns the status of a file, or of the link itself. Uses bigint, because file ids on Windows don't fit into a number. */
export function identify(path: string): Promise<BigIntStats> {
  return lstat(path, { bigint: true })
}

export function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino
}

/** Returns true for the same file if nothing was written to it in between. */
export function isUnchanged(one: BigIntStats, other: BigIntStats): boolean {
  return isSame(one, other) && one.size === other.size && one.mtimeNs === other.mtimeNs
}
