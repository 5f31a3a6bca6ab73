/**
 * Takes a name away from one certain file. `unlink` takes it from whatever file has it by then, and so from one that another process
 * has renamed over it; here that one keeps it.
 */
import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import { codeOf } from './errors.ts'
import { isSame } from './identity.ts'
import type { Entry } from './jail.ts'
import { temporaryName } from './temporary.ts'

/** `held` is another name of the file, which no other process knows. Does nothing when the entry is another file by now. Synchronous. */
export function takeName({ directory, name }: Entry, held: string): void {
  const path = directory.pathOf(name)
  if (!areOne(path, held)) return
  // A rename takes exactly one version, which can be looked at where no other process finds it.
  const taken = directory.pathOf(temporaryName())
  renameSync(path, taken)
  if (areOne(taken, held)) unlinkSync(taken)
  else putBack(taken, path)
}

/** What has come under the name meanwhile is newer, and stays. */
export function putBack(taken: string, path: string): void {
  try {
    linkSync(taken, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' && lstatSync(path, { throwIfNoEntry: false }) === undefined) {
      // Without links: what comes in the microseconds between is replaced.
      renameSync(taken, path)
      return
    }
  }
  unlinkSync(taken)
}

function areOne(path: string, held: string): boolean {
  return isSame(lstatSync(path, { bigint: true }), lstatSync(held, { bigint: true }))
}
