/** Detects whether a file has changed, by its status before and after. */
import type { BigIntStats } from 'node:fs'
import { lstat } from 'node:fs/promises'

/**
 * Returns the status of a file. For a link, returns the status of the link itself. Uses bigint, because file ids on Windows don't fit into
 * a number.
 */
export function identify(path: string): Promise<BigIntStats> {
  return lstat(path, { bigint: true })
}

export function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino
}

/** True if both are the status of the same file, and nothing was written to the file in between. */
export function isUnchanged(one: BigIntStats, other: BigIntStats): boolean {
  return isSame(one, other) && one.size === other.size && one.mtimeNs === other.mtimeNs
}
