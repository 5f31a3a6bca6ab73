/**
 * Removes a name from one particular file. `unlink` would remove the name from any file that has it, even one that another process has just
 * saved under that name. That file is left unchanged here.
 */
import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import { codeOf } from '../errors.ts'
import { isSame } from '../jail/identity.ts'
import type { Entry } from '../jail/jail.ts'
import { temporaryName } from '../jail/temporary.ts'

/**
 * Removes the name of an entry, synchronously. `held` is another name of the same file, which no other process knows. If the entry is a
 * different file by now, nothing is removed.
 */
export function takeName({ directory, name }: Entry, held: string): void {
  const path = directory.pathOf(name)
  if (!areOne(path, held)) return
  // Renaming moves exactly one version to a name that no other process knows. That version can then be inspected.
  const taken = directory.pathOf(temporaryName())
  renameSync(path, taken)
  if (areOne(taken, held)) unlinkSync(taken)
  else putBack(taken, path)
}

/** Restores a name. If another file has taken the name meanwhile, that file stays, because it is newer. */
export function putBack(taken: string, path: string): void {
  try {
    linkSync(taken, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' && lstatSync(path, { throwIfNoEntry: false }) === undefined) {
      // Without hard links, a file that takes the name within these microseconds is replaced.
      renameSync(taken, path)
      return
    }
  }
  unlinkSync(taken)
}

function areOne(path: string, held: string): boolean {
  return isSame(lstatSync(path, { bigint: true }), lstatSync(held, { bigint: true }))
}
