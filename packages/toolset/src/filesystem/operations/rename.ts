/** Renames a file without losing a version that another process saves in the meantime. */
import { type BigIntStats, lstatSync, renameSync, unlinkSync } from 'node:fs'
import { link, rename, unlink } from 'node:fs/promises'
import { codeOf, existsAlready, fileError } from '../errors.ts'
import { identify, isSame, isUnchanged } from '../jail/identity.ts'
import type { Entry } from '../jail/jail.ts'
import { temporaryName } from '../jail/temporary.ts'
import { quote } from '../quote.ts'
import { putBack, takeName } from './take-name.ts'

/** Errors that mean that the file system doesn't support or allow hard links. */
const NO_LINK: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Renames a file. Without `overwrite`, rejects with `EEXIST` if the new name is taken, even if it is taken during the call. */
export async function renameFile(source: Entry, target: Entry, overwrite: boolean): Promise<void> {
  const [from, to] = [pathOf(source), pathOf(target)]
  const isTwin = overwrite && (await areNamesOfOne(from, to))
  await source.directory.confirm()
  await target.directory.confirm()
  if (isTwin) return renameTwin(from, to, source.directory.pathOf(temporaryName()))
  if (overwrite) return rename(from, to)
  const held = target.directory.pathOf(temporaryName())
  try {
    // Uses a hard link, because `rename` would replace an existing file. The old name is removed only if it still belongs to the file that
    // was linked.
    await link(from, held)
  } catch (error) {
    if (!NO_LINK.has(codeOf(error))) throw error
    return renameIfFree(source, target)
  }
  try {
    await source.directory.confirm()
    await link(held, to)
    await takeSourceName(source, target, held)
  } finally {
    await unlink(held).catch(() => undefined)
  }
}

/**
 * Removes the old name from the file that was moved. A version that another process has saved under the old name in the meantime stays,
 * because it is newer.
 */
async function takeSourceName(source: Entry, target: Entry, held: string): Promise<void> {
  try {
    await source.directory.confirm()
    takeName(source, held)
  } catch (error) {
    // Ignores an error here, so that the first error is reported.
    tryToTake(target, held)
    throw error
  }
}

function tryToTake(entry: Entry, held: string): void {
  try {
    takeName(entry, held)
  } catch {
    // The first name is gone, or it can't be removed and the file keeps both names.
  }
}

/** Gives a finished temporary file its final name. No other process knows the temporary name. */
export async function nameFile(temporary: Entry, target: Entry, overwrite: boolean): Promise<void> {
  const [from, to] = [pathOf(temporary), pathOf(target)]
  await target.directory.confirm()
  if (overwrite) return rename(from, to)
  try {
    await link(from, to)
  } catch (error) {
    if (!NO_LINK.has(codeOf(error))) throw error
    return renameIfFree(temporary, target)
  }
  // If the temporary name remains, lists don't show it.
  await unlink(from).catch(() => undefined)
}

async function areNamesOfOne(from: string, to: string): Promise<boolean> {
  // If a file is missing, the next step reports it.
  const [one, other] = await Promise.all([from, to].map((path) => identify(path).catch(orMissing)))
  return one !== undefined && other !== undefined && one.nlink > 1n && isSame(one, other)
}

function orMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}

/**
 * Renames a file if both names are hard links to it. `rename` alone would do nothing, so the file is first renamed to a third name. This
 * also works if the names differ only in case, where removing one of them could delete the file.
 */
function renameTwin(from: string, to: string, between: string): void {
  renameSync(from, between)
  try {
    renameSync(between, to)
  } catch (error) {
    putBack(between, from)
    throw error
  }
  try {
    unlinkSync(between)
  } catch (error) {
    orMissing(error)
  }
}

/** Replaces a file if it still matches `basis`. Throws `busy` if the file has been replaced or written since. */
export async function renameIfUnchanged(source: Entry, target: Entry, basis: BigIntStats): Promise<void> {
  const [from, to] = [pathOf(source), pathOf(target)]
  await target.directory.confirm()
  // Synchronous, because asynchronous calls would give another process a hundred times as long to interfere.
  if (isUnchanged(basis, lstatSync(to, { bigint: true }))) return renameSync(from, to)
  throw fileError('busy', `${quote(target.given)} is being written by another process. Try again later.`)
}

/**
 * Renames an entry that can't be hard-linked, synchronously. If another entry takes the new name within microseconds, that entry is
 * replaced: a file by a file, or an empty directory by a directory.
 */
export function renameIfFree(source: Entry, target: Entry): void {
  const [from, to] = [pathOf(source), pathOf(target)]
  const taken = lstatSync(to, { throwIfNoEntry: false })
  if (taken !== undefined) throw existsAlready(quote(target.given), taken.isFile() && lstatSync(from).isFile())
  renameSync(from, to)
}

function pathOf({ directory, name }: Entry): string {
  return directory.pathOf(name)
}
