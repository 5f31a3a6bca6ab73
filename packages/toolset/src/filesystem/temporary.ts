/** Names of unfinished writes: nobody can guess one, no list shows one, no path may name one. */
import { randomBytes } from 'node:crypto'

/** What a killed writer leaves behind carries such a name for ever; it is deleted with its directory. */
export function temporaryName(): string {
  return `.x-write-${randomBytes(12).toString('hex')}.tmp`
}

/** In any case: some file systems do not tell one from the other. */
export function isTemporaryName(name: string): boolean {
  return /^\.x-write-[0-9a-f]{24}\.tmp$/i.test(name)
}
