/**
 * Removes a name from one specific file. `unlink` would remove the name from any file that has it now, such as one that another process has
 * just given this name. This function leaves such a file unchanged.
 */
import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import { codeOf } from '../errors.ts'
import { isSame } from '../jail/identity.ts'
import type { Entry } from '../jail/jail.ts'
import { temporaryName } from '../jail/temporary.ts'

/**
 * Removes the entry's name. `held` is another name of the file that no other process knows. Does nothing if the entry is now a different
 * file. Synchronous.
 */
export function takeName({ directory, name }: Entry, held: string): void {
  const path = directory.pathOf(name)
  if (!areOne(path, held)) return
  // A rename moves exactly one version to a name that no other process knows, so that it can be inspected.
  const taken = directory.pathOf(temporaryName())
  renameSync(path, taken)
  if (areOne(taken, held)) unlinkSync(taken)
  else putBack(taken, path)
}

/** Restores the name. If another file has taken it in the meantime, that file is newer and is kept. */
export function putBack(taken: string, path: string): void {
  try {
    linkSync(taken, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' && lstatSync(path, { throwIfNoEntry: false }) === undefined) {
      // Without hard links, a file that appears within these microseconds is replaced.
      renameSync(taken, path)
      return
    }
  }
  unlinkSync(taken)
}

function areOne(path: string, held: string): boolean {
  return isSame(lstatSync(path, { bigint: true }), lstatSync(held, { bigint: true }))
}
