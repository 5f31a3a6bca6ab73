/**
 * Removes a name only if it still belongs to one particular file. `unlink` would also remove a file that another process has just saved
 * under that name.
 */
import { linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs'
import { codeOf } from '../errors.ts'
import { isSame } from '../jail/identity.ts'
import type { Entry } from '../jail/jail.ts'
import { temporaryName } from '../jail/temporary.ts'

/**
 * Removes the name of an entry, synchronously. `held` is a second, secret name for the same file. Removes nothing if the entry's name now
 * refers to a different file.
 */
export function takeName({ directory, name }: Entry, held: string): void {
  const path = directory.pathOf(name)
  if (!areOne(path, held)) return
  // Moves exactly one version to a secret name, under which it can be inspected safely.
  const taken = directory.pathOf(temporaryName())
  renameSync(path, taken)
  if (areOne(taken, held)) unlinkSync(taken)
  else putBack(taken, path)
}

/** Restores a name. If another file has taken the name in the meantime, that file stays, because it is newer. */
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
