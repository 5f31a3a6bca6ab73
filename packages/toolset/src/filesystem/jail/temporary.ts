/** Names of unfinished writes: unguessable, hidden from lists, and refused in paths. */
import { randomBytes } from 'node:crypto'

/** A file left by a killed writer keeps such a name until its directory is deleted. */
export function temporaryName(): string {
  return `.x-write-${randomBytes(12).toString('hex')}.tmp`
}

/** Ignores case, because some file systems ignore it too. */
export function isTemporaryName(name: string): boolean {
  return /^\.x-write-[0-9a-f]{24}\.tmp$/i.test(name)
}
