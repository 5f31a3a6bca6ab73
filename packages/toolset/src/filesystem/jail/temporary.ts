/** Names for unfinished writes. They can't be guessed, are hidden from lists, and are refused in paths. */
import { randomBytes } from 'node:crypto'

/** Returns a new temporary name. If a writer is killed, its file keeps such a name until the directory is deleted. */
export function temporaryName(): string {
  return `.x-write-${randomBytes(12).toString('hex')}.tmp`
}

/** True for a temporary name. Ignores case, as some file systems do. */
export function isTemporaryName(name: string): boolean {
  return /^\.x-write-[0-9a-f]{24}\.tmp$/i.test(name)
}
