/** Whether two looks saw the same file. */
import type { BigIntStats } from 'node:fs'
import { lstat } from 'node:fs/promises'

/** Of a link: of itself. Numbers of Windows are too large to be held otherwise. */
export function identify(path: string): Promise<BigIntStats> {
  return lstat(path, { bigint: true })
}

export function isSame(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino
}

/** The same file, and nobody has written into it in between. */
export function isUnchanged(one: BigIntStats, other: BigIntStats): boolean {
  return isSame(one, other) && one.size === other.size && one.mtimeNs === other.mtimeNs
}
